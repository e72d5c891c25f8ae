import { runPackage } from './run.mjs'

/** Checks that don't run the product: a name, and how to run it (an exit code). */
export const checks = [
  {
    name: 'format and lint',
    run: () => runPackage('@biomejs/biome/bin/biome', ['ci', '--error-on-warnings', '.']),
  },
  { name: 'types', run: () => runPackage('typescript/bin/tsc', ['--noEmit', '--pretty']) },
  { name: 'dead code', run: () => runPackage('knip/bin/knip.js', []) },
]
