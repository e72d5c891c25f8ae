import { Field } from './field.ts'
import { parseJson } from './parse-json.ts'

/** Each importer is asked about the same text, which is parsed once; it may hold keys and isn't kept. */
let latest: { text: string; value: unknown } | null = null

/** Is the text JSON for which the check holds? False instead of an error, whatever the text is. */
export function looksLike(text: string, check: (file: Field) => boolean): boolean {
  try {
    if (!/^\uFEFF?\s*(?:[{[]|\/[/*])/.test(text)) return false
    if (latest?.text !== text) {
      latest = { text, value: parseJson(text).value }
      queueMicrotask(() => {
        latest = null
      })
    }
    return check(new Field(latest.value))
  } catch {
    return false
  }
}
