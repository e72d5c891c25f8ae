import { parseDocument } from 'yaml'
import { checkSize } from './check-size.ts'
import { Field } from './field.ts'
import { wrongText } from './wrong-text.ts'

const BOUNDS = { characters: 2_000_000, depth: 100 }
/** Spaces before a line, which in YAML is depth too. */
const DEEPEST_INDENT = 400
/** How often aliases may repeat what their anchors hold, in nodes. */
const MOST_ALIASES = 100

/**
 * Reads YAML 1.2 with merge keys: no tags of its own, no code, aliases bounded. Throws `invalid_params`
 * with line and column.
 */
export function parseYaml(text: string): Field {
  checkSize(text, BOUNDS)
  checkIndent(text)
  try {
    const document = parseDocument(text.replace(/^\uFEFF/, ''), {
      merge: true,
      logLevel: 'silent',
      stringKeys: true,
    })
    const [error] = document.errors
    if (error) throw error
    return new Field(document.toJS({ maxAliasCount: MOST_ALIASES }))
  } catch (error) {
    throw wrongText(`The file isn’t valid YAML: ${said(error)}`, {
      code: 'file_no_yaml',
      problem: said(error),
    })
  }
}

/** Lists in one line, `- - - -`, nest as well as spaces do. */
function checkIndent(text: string): void {
  for (const match of text.matchAll(/^(?: |- |\? |: )+/gm)) {
    if (match[0].length > DEEPEST_INDENT) {
      const line = text.slice(0, match.index).split('\n').length
      throw wrongText(`Line ${line} is indented more than ${DEEPEST_INDENT} characters.`, {
        code: 'file_indented',
        line,
        most: DEEPEST_INDENT,
      })
    }
  }
}

/** The parser's first line: the ones below quote the file, keys and all. */
function said(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deep.'
  if (!(error instanceof Error)) return 'it can’t be read.'
  const [line = ''] = error.message.split('\n')
  return `${line.replace(/:$/, '').slice(0, 300)}.`
}
