import type { SecretFinder } from '../base/log/secret-finder.ts'

/** Secrets that an upstream was sent, and that its answer must not tell. */
export interface WithheldSecrets {
  secrets: readonly SecretFinder[]
  /** Did the client send this secret too? Asked only where an answer holds it; the client may get its own back. */
  isSaid(secret: SecretFinder): boolean
}

const NOTHING = Buffer.alloc(0)
const INSTEAD = Buffer.from('***')

/** Takes secrets out of a body that is cut anywhere: the beginning of one is held until it is known what follows. */
export class SecretFilter {
  #secrets: readonly SecretFinder[]
  readonly #isSaid: WithheldSecrets['isSaid']
  #held: Buffer = NOTHING

  constructor({ secrets, isSaid }: WithheldSecrets) {
    this.#secrets = secrets
    this.#isSaid = isSaid
  }

  /** The bytes that may go on: mostly the chunk itself, and nothing where all of it may belong to a secret. */
  push(chunk: Buffer): Buffer {
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    for (const secret of this.#secrets) {
      const replaced = secret.replace(bytes)
      if (replaced !== bytes && this.#isSaid(secret)) {
        this.#secrets = this.#secrets.filter((one) => one !== secret)
      } else bytes = replaced
    }
    let end = bytes.length
    for (const secret of this.#secrets) end = Math.min(end, secret.cutAt(bytes))
    this.#held = end === bytes.length ? NOTHING : bytes.subarray(end)
    return end === bytes.length ? bytes : bytes.subarray(0, end)
  }

  /** The bytes held back, at the end. */
  flush(): Buffer {
    const { length } = this.#held
    const isTelling = this.#secrets.some((secret) => length > 0 && secret.isTelling(length))
    const rest = isTelling ? INSTEAD : this.#held
    this.#held = NOTHING
    return rest
  }
}

/** The same of bytes that are all there is, though they may end within a secret. */
export function withoutSecrets(bytes: Buffer, secrets: readonly SecretFinder[]): Buffer {
  if (secrets.length === 0 || bytes.length === 0) return bytes
  const filter = new SecretFilter({ secrets, isSaid: () => false })
  const filtered = filter.push(bytes)
  const rest = filter.flush()
  return rest.length === 0 ? filtered : Buffer.concat([filtered, rest])
}
