#!/usr/bin/env node
// The cost of changing a call's wire format: bundles `convert.ts` as the product is built, because the
// loaders that run TypeScript as it stands slow each function down, and runs it.
//
//   node test/bench/convert.mjs
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'

const outDir = mkdtempSync(join(tmpdir(), 'switchyard-bench-'))
try {
  await build({
    configFile: false,
    root: resolve(import.meta.dirname, '../..'),
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: 'test/bench/convert.ts',
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rolldownOptions: { output: { format: 'esm', entryFileNames: 'convert.mjs' } },
    },
  })
  await import(pathToFileURL(join(outDir, 'convert.mjs')).href)
} finally {
  rmSync(outDir, { recursive: true, force: true })
}
