import { KEY_SHAPE } from '../base/log/key-shapes.ts'
import { redact } from '../base/log/redact.ts'

/** Ends of names whose values are nobody's business: `OPENAI_API_KEY`, `authToken`, `MY_PASS`, `github-pat`. */
const NAMES =
  '(?:[\\w.-]*(?:key|token|secret|password|passwd|passphrase|authorization|credential|cookie)s?|(?:[\\w.-]*[_-])?(?:pass|pwd|pat|auth))'

/** A name with its value, quoted or up to the line's end or comment. */
const NAMED = new RegExp(
  `((?:^|[\\s{,"'\`;])["']?${NAMES}["']?[ \\t]*[:=]\\s*)("(?:[^"\\\\\\r\\n]|\\\\.)+"|'[^'\\r\\n]+'|[^\\s"'{}[\\]|>,][^\\r\\n"'{}[\\]]*?(?=[ \\t]+#|,?[ \\t]*(?:$|["'\\]}])))`,
  'gim',
)

/** A flag with its value in the same word or the next, in a shell's line or any list. */
const ARGUMENT = new RegExp(
  `((?<![\\w.-])--?${NAMES}(?:=|["']?[ \\t]*,?\\s+(?:-[ \\t]+)?)["']?)(?!-)([^\\s"',\\]]+)`,
  'gi',
)

const QUERY =
  /([?&][\w.-]*(?:key|token|secret|sig|signature|pass|password|auth|code)=)([^&\s"'#]+)/gi

/** `postgres://ada:secret@host` */
const IN_ADDRESS = /(\b[\w+.-]+:\/\/[^\s/:@"']*:)([^\s/@"']+)(?=@)/g

const SCHEME = /(\b(?:Bearer|Basic)\s+)([\w.~+/=-]{8,})/gi

const PRIVATE_KEY = /(-----BEGIN [A-Z ]*PRIVATE KEY-----)([\s\S]*?)(?=-----END)/g

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi

const LONG_WORD = /\b[A-Za-z0-9]{20,}\b/g

/** A name has few digits, and they stand together. */
const isRandom = (word: string) => (word.match(/\d[A-Za-z]|[A-Za-z]\d/g) ?? []).length >= 5

/** Two different secrets stay different, so that a diff shows their change. */
const masked = (secret: string) =>
  secret.length < 16 ? '…masked' : `${secret.startsWith('sk-') ? 'sk-' : ''}…${secret.slice(-4)}`

const isPlain = (value: string) => /^(?:\d+|true|false|null)$/i.test(value) || value.includes('…')

const maskedAfter = (_whole: string, before: string, secret: string) =>
  before + (isPlain(secret) ? secret : masked(secret))

function maskedValue(_whole: string, name: string, written: string): string {
  const quote = /^["']/.exec(written)?.[0] ?? ''
  const inner = quote ? written.slice(1, -1) : written
  return isPlain(inner) ? name + written : `${name}${quote}${masked(inner)}${quote}`
}

/** Line ends stay, whether they stand there or as they are written in JSON. */
const maskedLines = (_whole: string, before: string, lines: string) =>
  before + lines.replace(/(?:(?!\\n)[^\r\n])+/g, '…masked')

/** A configuration's text without secrets, ours and others'. Layout stays. */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  const own = known.reduce((left, secret) => left.replaceAll(secret, masked(secret)), text)
  const shown = own
    .replace(PRIVATE_KEY, maskedLines)
    .replace(SCHEME, maskedAfter)
    .replace(IN_ADDRESS, maskedAfter)
    .replace(QUERY, maskedAfter)
    .replace(KEY_SHAPE, masked)
    .replace(UUID, masked)
    .replace(LONG_WORD, (word) => (isRandom(word) ? masked(word) : word))
    .replace(ARGUMENT, maskedAfter)
    .replace(NAMED, maskedValue)
  return redact(shown)
}
