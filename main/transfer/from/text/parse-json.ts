import JSON5 from 'json5'
import { visit } from 'jsonc-parser'
import { checkSize, deepest } from './check-size.ts'
import { Field } from './field.ts'
import { wrongText } from './wrong-text.ts'

/** JSON5's parser takes a character at a time: what is larger must be plain JSON. */
const MOST_JSON5 = 2_000_000

/** Reads JSON, also with comments, trailing commas and the rest of JSON5. Throws `invalid_params` with line and column. */
export function parseJson(text: string, path = ''): Field {
  checkSize(text, deepest)
  const plain = text.replace(/^\uFEFF/, '')
  try {
    return new Field(JSON.parse(plain), path)
  } catch {
    if (plain.length > MOST_JSON5) {
      const place = placeIn(plain)
      throw wrongText(`${path || 'The file'} isn’t valid JSON${place}.`, {
        code: 'part_no_json',
        part: path,
        problem: place.trim(),
      })
    }
  }
  try {
    return new Field(JSON5.parse(plain), path)
  } catch (error) {
    throw wrongText(`${path || 'The file'} isn’t valid JSON: ${said(error)}`, {
      code: 'part_no_json',
      part: path,
      problem: said(error),
    })
  }
}

/**
 * Only the place: the engine's sentence quotes the text around it, which may be a key, and in Node 20 it often has no
 * place.
 */
function placeIn(text: string): string {
  const places: number[] = []
  visit(text, { onError: (_code, offset) => void places.push(offset) }, { disallowComments: true })
  const [at] = places
  if (at === undefined) return ''
  const lines = text.slice(0, at).split('\n')
  return ` at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}

/** `JSON5: invalid character 'x' at 3:7` → `invalid character 'x' at line 3, column 7.` */
const said = (error: unknown): string =>
  `${error instanceof Error ? error.message : 'it can’t be read'}`
    .replace(/^JSON5: /, '')
    .replace(/ at (\d+):(\d+)$/, ' at line $1, column $2')
    .slice(0, 300)
    .concat('.')
