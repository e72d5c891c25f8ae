/** Bytes that stand in a JSON text. */
export interface Base64Text {
  /** Null where neither the text nor its first bytes tell it. */
  type: string | null
  bytes: number
  /** `data:` URL of an image that browsers can show, else null. */
  image: string | null
}

/** Shorter texts are words rather than bytes. */
const SHORTEST = 200
const DATA = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w-]+=[^;,]*)*;base64,/
const SHOWN_TYPES = /^image\/(?:png|jpeg|gif|webp|avif)$/

/** First characters in base64 of files by their type. */
const beginnings: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi0', 'application/pdf'],
]

const isBase64 = (text: string): boolean =>
  // A long text is known by its beginning and its end; words have spaces there.
  /^[A-Za-z0-9+/]{120,}$/.test(text.slice(0, 2000).replace(/=+$/, '')) &&
  /^[A-Za-z0-9+/]*={0,2}$/.test(text.slice(-2000)) &&
  /[A-Z]/.test(text) &&
  /\d/.test(text)

/** A string of a JSON body as bytes; null where it is text. */
export function readBase64(text: string): Base64Text | null {
  const head = DATA.exec(text.slice(0, 200))
  const data = head ? text.slice(head[0].length) : text
  if (!head && (text.length < SHORTEST || !isBase64(text))) return null
  const known = beginnings.find(([begin]) => data.startsWith(begin))?.[1]
  const type = head?.[1] ?? known ?? null
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  const isImage = type !== null && SHOWN_TYPES.test(type) && data.length > 0
  return {
    type,
    bytes: Math.max(0, Math.floor((data.length * 3) / 4) - padding),
    image: isImage ? `data:${type};base64,${data}` : null,
  }
}
