/** Characters that are looked through: far more than are kept, and a bound for what a stranger sends. */
const LOOKED_AT = 2048

/** Keys by their look: of vendors, of this gateway, and long random words. */
const KEY_SHAPE =
  /(?:\bsk-|\bgsk_|\bxai-|\bpplx-|\bhf_|\br8_|\bnvapi-|\bcsk-|\bAIza|\bya29\.|\beyJ)[\w.~+/-]{8,}|\b[A-Za-z0-9]{40,}/g

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
  return shown.replace(KEY_SHAPE, INSTEAD)
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
