// Compiles main/convert/json/scan-json.wat and writes it into scan-json-wasm.ts, beside it; with --print to
// standard output instead.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import wabt from 'wabt'

const pathOf = (name) => fileURLToPath(new URL(`../main/convert/json/${name}`, import.meta.url))

const { parseWat } = await wabt()
const source = pathOf('scan-json.wat')
const parsed = parseWat(source, readFileSync(source, 'utf8'), { simd: true })
parsed.validate()
const base64 = Buffer.from(parsed.toBinary({}).buffer).toString('base64')
const lines = base64.match(/.{1,90}/g).map((line) => `  '${line}'`)
const text = `/** Made from scan-json.wat by \`node .scripts/compile-wat.mjs\`; base64. */
export const SCAN_JSON_WASM =
${lines.join(' +\n')}
`
if (process.argv.includes('--print')) process.stdout.write(text)
else writeFileSync(pathOf('scan-json-wasm.ts'), text)
