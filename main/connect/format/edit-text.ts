import type { FileFormat, Json, KeyPath } from '../tool.ts'
import { dotenvFormat } from './dotenv-format.ts'
import { jsonFormat, strictJsonFormat } from './json-format.ts'
import { sameValue, shownPath, valueAt, withValue } from './key-path.ts'
import { NotEditable } from './not-editable.ts'
import type { TextFormat } from './text-format.ts'
import { replaced } from './text-style.ts'
import { tomlFormat } from './toml-format.ts'
import { yamlFormat } from './yaml-format.ts'

export const formats: Record<FileFormat, TextFormat> = {
  json: strictJsonFormat,
  jsonc: jsonFormat,
  toml: tomlFormat,
  yaml: yamlFormat,
  dotenv: dotenvFormat,
}

const MARK = '\uFEFF'

/** Value of a whole text. Throws `BrokenFile`. */
export const parseText = (format: FileFormat, text: string): Json =>
  formats[format].parse(text.startsWith(MARK) ? text.slice(1) : text)

export interface KeyChange {
  path: KeyPath
  value?: Json
}

/**
 * The text with the changes, all else as it was. Each one is verified: the new text must say
 * exactly what the old one said with this key set. Throws `BrokenFile` and `NotEditable`.
 */
export function editText(format: FileFormat, text: string, changes: readonly KeyChange[]): string {
  const mark = text.startsWith(MARK) ? MARK : ''
  const editor = formats[format]
  let edited = text.slice(mark.length)
  let value = editor.parse(edited)
  for (const { path, value: wanted } of changes) {
    const expected = withValue(value, path, wanted)
    if (sameValue(expected, value)) continue
    edited = editor.set(edited, path, wanted)
    const found = parsedAgain(editor, edited)
    const isRight =
      sameValue(found, expected) ||
      (wanted === undefined && sameValue(found, withoutEmpty(expected, path)))
    if (found === undefined || !isRight) {
      throw new NotEditable(`${shownPath(path)} stands in a form that can't be edited safely.`)
    }
    value = found
  }
  // A change that takes the only CR LF leaves none for the next one to follow.
  const hasLostReturns = /\r\n/.test(text) && !/(?<!\r)\n/.test(text) && !/\r\n/.test(edited)
  return mark + (hasLostReturns ? edited.replaceAll('\n', '\r\n') : edited)
}

function placeInside(format: FileFormat, text: string, path: KeyPath) {
  const start = text.startsWith(MARK) ? MARK.length : 0
  const place = formats[format].insideOf?.(text.slice(start), path)
  return place ? ([place[0] + start, place[1] + start] as const) : null
}

/** Space and comments inside of the empty object or list at a path; null where there is none, or it's not JSON. */
export function insideOf(format: FileFormat, text: string, path: KeyPath): string | null {
  const place = placeInside(format, text, path)
  return place && text.slice(...place)
}

/** Comments as they are, and nothing of the space around them. */
const bare = (inside: string) => inside.match(/\/\*[\s\S]*?\*\/|\/\/[^\r\n]*|\S/g)?.join('\n') ?? ''

/** The text with that inside again, where nothing but space differs, and no line would end in another way. */
export function withInside(
  format: FileFormat,
  text: string,
  path: KeyPath,
  inside: string,
): string {
  const place = placeInside(format, text, path)
  if (place === null || bare(text.slice(...place)) !== bare(inside)) return text
  const around = text.slice(0, place[0]) + text.slice(place[1])
  const hasEnds = inside.includes('\n') && around.includes('\n')
  return hasEnds && inside.includes('\r\n') !== around.includes('\r\n')
    ? text
    : replaced(text, ...place, inside)
}

/** A table of TOML that only its sub-tables made is gone with the last of them. */
function withoutEmpty(value: Json, path: KeyPath): Json {
  let left = value
  for (let length = path.length - 1; length > 0; length -= 1) {
    const around = path.slice(0, length)
    if (!sameValue(valueAt(left, around), {})) return left
    left = withValue(left, around, undefined)
  }
  return left
}

function parsedAgain(editor: TextFormat, text: string): Json | undefined {
  try {
    return editor.parse(text)
  } catch {
    return undefined
  }
}
