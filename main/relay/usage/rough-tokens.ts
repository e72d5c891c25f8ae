/** Bytes from one look to the next. */
const STEP = 1024
/** Bytes of one look. */
const LOOK = 64
/** A shorter run is a word: a hash, a path, an id. */
const SHORTEST_FILE = 4 * STEP
const BYTES_PER_TOKEN = 4
/** As estimate-input.ts counts them, which knows what each file is. */
const PICTURE_TOKENS = 1600
const PAGE_TOKENS = 2500
/** Base64 of a page of 50 kB. */
const PAGE_LENGTH = 67_000
const QUOTE = 0x22
/** How base64 of a PDF begins. */
const PDF = 'JVBERi0'

/** By byte: may it stand in base64? */
const isBase64 = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9+/=_-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

function looksOpaque(bytes: Buffer, from: number): boolean {
  const end = from + LOOK
  if (end > bytes.length) return false
  for (let index = from; index < end; index++) if (!isBase64[bytes[index] as number]) return false
  return true
}

/** Is all from here up to the end a file in base64? Looked at in places only. */
function isFile(bytes: Buffer, from: number, end: number): boolean {
  if (end - from < SHORTEST_FILE) return false
  const step = Math.max(STEP, Math.floor((end - from) / 16))
  for (let at = from; at < end - LOOK; at += step) if (!looksOpaque(bytes, at)) return false
  return true
}

/**
 * About how many tokens a model would read in a request of megabytes, from looks at its bytes: to read it all would
 * hold up other calls. Words by their length, files in base64 as what they weigh: a picture's length says nothing.
 */
export function roughTokens(pieces: readonly Buffer[]): number {
  let words = 0
  let tokens = 0
  for (const bytes of joined(pieces)) {
    words += bytes.length
    for (let at = 0; at < bytes.length; at += STEP) {
      if (!looksOpaque(bytes, at)) continue
      const quote = bytes.indexOf(QUOTE, at)
      const end = quote < 0 ? bytes.length : quote
      if (!isFile(bytes, at, end)) continue
      const before = bytes.toString('latin1', Math.max(0, at - STEP), at + PDF.length)
      const start = before.slice(before.lastIndexOf('"') + 1)
      tokens += start.includes(PDF)
        ? Math.ceil((end - at) / PAGE_LENGTH) * PAGE_TOKENS
        : PICTURE_TOKENS
      words -= end - at
      at = end
    }
  }
  return tokens + Math.ceil(words / BYTES_PER_TOKEN)
}

/** The bytes in one piece: a run goes through many of those in which they came. */
const joined = (pieces: readonly Buffer[]): readonly Buffer[] =>
  pieces.length < 2 ? pieces : [Buffer.concat(pieces)]
