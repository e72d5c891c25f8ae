import { availableParallelism } from 'node:os'
import { runPackage } from './run.mjs'

/** Each reads again what all have in common: with four, its default, two cores work twice as long. */
const checkers = Math.max(1, Math.floor(availableParallelism() / 2))

/** Checks that don't run the product: a name, and how to run it (an exit code). */
export const checks = [
  {
    name: 'format and lint',
    run: () => runPackage('@biomejs/biome/bin/biome', ['ci', '--error-on-warnings', '.']),
  },
  {
    name: 'types',
    run: () =>
      runPackage('typescript/bin/tsc', ['--noEmit', '--pretty', '--checkers', String(checkers)]),
  },
  { name: 'dead code', run: () => runPackage('knip/bin/knip.js', []) },
]
