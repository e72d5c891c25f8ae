import { KEY_SHAPE } from '../../base/log/key-shapes.ts'

/** Characters that are looked through: far more than are kept, and a bound for what a stranger sends. */
const LOOKED_AT = 2048

/** No word of a language is that long. */
const LONG_WORD = /\b[A-Za-z0-9]{40,}/g

/** Parts of a query's names whose values are nobody's business. */
const SECRET_NAME = /key|token|auth|secret|pass|sig|cred|session|code/i

const INSTEAD = '***'

/** A text of the client's without the keys that its request carried, or anything that looks like one. */
export function shownText(text: string, keys: readonly string[]): string {
  let shown = text.slice(0, LOOKED_AT)
  for (const key of keys) {
    // A shorter one stands in any word.
    if (key.length < 6) continue
    shown = shown.replaceAll(key, INSTEAD).replaceAll(encodeURIComponent(key), INSTEAD)
  }
  return shown.replace(KEY_SHAPE, INSTEAD).replace(LONG_WORD, INSTEAD)
}

/** A request's path and query, without keys. */
export function shownPath(url: string, keys: readonly string[]): string {
  const [path = '', ...rest] = url.slice(0, LOOKED_AT).split('?')
  const query = rest.join('?').split('&').map(withoutSecret).join('&')
  return shownText(query === '' ? path : `${path}?${query}`, keys)
}

function withoutSecret(field: string): string {
  const mark = field.indexOf('=')
  return mark >= 0 && SECRET_NAME.test(field.slice(0, mark))
    ? `${field.slice(0, mark)}=${INSTEAD}`
    : field
}
