import type { Importer } from '../transfer.ts'
import { Carried } from './carried.ts'
import { parseEnv } from './text/parse-env.ts'
import { readVariables } from './vendor/read-variables.ts'

/** A `.env` file. */
export const dotEnv: Importer = {
  id: 'env',
  name: '.env',
  // Each line can be read in one way only: with `\s*` for the blanks there are 2^n ways through blank lines.
  detect: (text, filename = '') =>
    /(?:^|[\\/])\.env(?:\.[\w-]+)?$/.test(filename) ||
    /^\uFEFF?(?:[^\S\n]*(?:#[^\n]*)?\n)*[^\S\n]*(?:export\s+)?[A-Z][A-Z0-9_]*\s*=/.test(
      text.slice(0, 20_000),
    ),
  read(text) {
    const carried = new Carried()
    readVariables(parseEnv(text), carried)
    return carried.foreign()
  },
}
