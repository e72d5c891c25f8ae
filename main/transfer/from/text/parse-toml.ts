import { parse, TomlError } from 'smol-toml'
import { checkSize } from './check-size.ts'
import { Field } from './field.ts'
import { wrongText } from './wrong-text.ts'

const BOUNDS = { characters: 2_000_000, depth: 100 }

/** Reads TOML 1.0. `path` names a text within another file. Throws `invalid_params` with line and column. */
export function parseToml(text: string, path = ''): Field {
  checkSize(text, BOUNDS)
  try {
    return new Field(parse(text.replace(/^\uFEFF/, ''), { maxDepth: 100 }), path)
  } catch (error) {
    throw wrongText(`${path || 'The file'} isn’t valid TOML: ${said(error)}`, {
      code: 'part_no_toml',
      part: path,
      problem: said(error),
    })
  }
}

/** Without the parser's excerpt, which may hold a key. */
function said(error: unknown): string {
  if (!(error instanceof TomlError)) return 'it can’t be read.'
  const [sentence = ''] = error.message.split('\n')
  const reason = sentence.replace(/^Invalid TOML document: /, '').slice(0, 300)
  return `${reason} (line ${error.line}, column ${error.column}).`
}
