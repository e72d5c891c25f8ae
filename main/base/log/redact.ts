/** Secrets of this process that may not stand in a log, an error or the ledger. */
export interface SecretSource {
  /** Another value whenever `list` may give others. */
  version(): unknown
  list(): Iterable<string>
}

/** A shorter text is no secret worth the name, and taking it out would garble what is told. */
const SHORTEST = 8
const INSTEAD = '***'
/** Bits of a look at a block, which nearly every place in a text fails. */
const BITS = 1 << 20

/** Characters of a block, and how many blocks begin in the first `SHORTEST` characters of a form. */
const BLOCK = 4
const BLOCKS = SHORTEST - BLOCK + 1

/** The bit of the block that begins there. */
const blockHash = (text: string, at: number): number =>
  (((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) * 31 +
    text.charCodeAt(at + 3)) &
  (BITS - 1)

const isSet = (bits: Uint8Array, bit: number): boolean =>
  ((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0

function setBit(bits: Uint8Array, bit: number): void {
  bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7))
}

/** The part of a text's base64 that does not depend on its neighbours. */
function* inBase64(secret: string): Generator<string> {
  const size = Buffer.byteLength(secret)
  for (const before of [0, 1, 2]) {
    const coded = Buffer.from(' '.repeat(before) + secret).toString('base64')
    const from = Math.ceil((before * 8) / 6)
    const to = Math.floor(((before + size) * 8) / 6)
    const sure = coded.slice(from, to)
    yield sure
    yield sure.replaceAll('+', '-').replaceAll('/', '_')
  }
}

/** A secret as it may stand in JSON, in a URL and in a header. */
function formsOf(secret: string): Set<string> {
  // Most look the same everywhere but in base64.
  if (/^[\w.-]+$/.test(secret)) return new Set([secret, ...inBase64(secret)])
  // A half of a surrogate pair cannot be written in a URL.
  const inUrl = encodeURIComponent(Buffer.from(secret).toString())
  return new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    inUrl,
    inUrl.replaceAll('%20', '+'),
    // Digits of an escape may be small ones; the rest of a secret is as it is.
    inUrl.replace(/%../g, (code) => code.toLowerCase()),
    ...inBase64(secret),
  ])
}

/** Takes secrets out of texts, in time that depends on the text and hardly on how many secrets there are. */
export class Secrets {
  readonly #sources = new Map<SecretSource, unknown>()
  /** A secret that was replaced may still be quoted by who refuses it, so that none is ever forgotten. */
  readonly #known = new Set<string>()
  readonly #forms = new Set<string>()
  /** How long the forms are that begin so, the longest first: a vendor's keys mostly begin alike. */
  readonly #lengths = new Map<string, number[]>()
  /** Blocks with which a form begins. */
  readonly #first = new Uint8Array(BITS / 8)
  /** Blocks within the first characters of a form. */
  readonly #within = new Uint8Array(BITS / 8)

  /** Takes what the source lists for a secret from now on; gives what ends that. */
  follow(source: SecretSource): () => void {
    this.#sources.set(source, this)
    return () => void this.#sources.delete(source)
  }

  /**
   * Asks the sources that have changed. `redact` does so itself; a source calls it where a secret may be
   * gone again, while calls still use it, before anything is told.
   */
  learn(): void {
    for (const [source, seen] of this.#sources) {
      const version = source.version()
      if (version === seen) continue
      this.#sources.set(source, version)
      try {
        for (const secret of source.list()) this.#add(secret)
      } catch {
        // No error could be made any more, not even that of the source itself.
      }
    }
  }

  redact(text: string): string {
    this.learn()
    if (this.#known.size === 0) return text
    let redacted = ''
    let from = 0
    for (let at = 0; at + SHORTEST <= text.length; ) {
      // The last block in a form's first characters is in each that begins from here up to it: mostly there is none.
      if (!isSet(this.#within, blockHash(text, at + BLOCKS - 1))) {
        at += BLOCKS
        continue
      }
      const length = this.#lengthAt(text, at)
      if (length === 0) {
        at++
        continue
      }
      redacted += text.slice(from, at) + INSTEAD
      at += length
      from = at
    }
    return from === 0 ? text : redacted + text.slice(from)
  }

  /** Length of the longest secret that begins there; 0 if none does. */
  #lengthAt(text: string, at: number): number {
    if (!isSet(this.#first, blockHash(text, at))) return 0
    const lengths = this.#lengths.get(text.slice(at, at + SHORTEST))
    return lengths?.find((length) => this.#forms.has(text.slice(at, at + length))) ?? 0
  }

  #add(secret: string): void {
    if (secret.length < SHORTEST || this.#known.has(secret)) return
    this.#known.add(secret)
    for (const form of formsOf(secret)) {
      if (form.length < SHORTEST) continue
      this.#forms.add(form)
      const beginning = form.slice(0, SHORTEST)
      const lengths = this.#lengths.get(beginning)
      if (!lengths) this.#lengths.set(beginning, [form.length])
      else if (!lengths.includes(form.length))
        lengths.splice(lengths.findLastIndex((length) => length > form.length) + 1, 0, form.length)
      setBit(this.#first, blockHash(form, 0))
      for (let at = 0; at < BLOCKS; at++) setBit(this.#within, blockHash(form, at))
    }
  }
}

/** The secrets of this process. */
export const secrets = new Secrets()

/** The text with every secret that this process knows replaced by `***`. */
export const redact = (text: string): string => secrets.redact(text)

/** The text without a key that a vendor may quote. A short one, such as the `x` of a local server, stands in any word. */
export const withoutKey = (text: string, key: string): string =>
  key.length < SHORTEST ? text : text.replaceAll(key, INSTEAD)

/** As `redact`, of bytes in any encoding that has ASCII; the very same bytes where nothing was to be replaced. */
export function redactBytes(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1')
  const redacted = redact(text)
  return redacted === text ? bytes : Buffer.from(redacted, 'latin1')
}
