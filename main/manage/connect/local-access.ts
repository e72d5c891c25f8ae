import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../connect/real-file.ts'

/** Tells it from an access token, which has none. */
const PREFIX = 'local-'

const OTHERS = 0o077

/**
 * A secret of one run, in a file of the data folder that only its user can read. A program that shows it
 * runs for that user, so `npm run connect` needs no password. It opens the `connect.` operations alone, to
 * requests of this machine.
 */
export class LocalAccess {
  readonly secret = PREFIX + randomBytes(32).toString('base64url')
  readonly #path: string
  #isOpen = false

  constructor(dataFolder: string) {
    this.#path = join(dataFolder, 'local-access.json')
  }

  /**
   * Writes the file. False where others can read it, as on a file system without modes: then there is none,
   * and the secret opens nothing.
   */
  open(address: string): boolean {
    writeAtomic(this.#path, `${JSON.stringify({ address, secret: this.secret })}\n`, 0o600)
    const isPrivate = process.getuid === undefined || (statSync(this.#path).mode & OTHERS) === 0
    if (isPrivate) this.#isOpen = true
    else this.close()
    return isPrivate
  }

  close(): void {
    this.#isOpen = false
    rmSync(this.#path, { force: true })
  }

  /** Does it look like one, whether or not it's right? */
  isMeant(credential: string): boolean {
    return credential.startsWith(PREFIX)
  }

  matches(credential: string): boolean {
    const [sent, right] = [credential, this.secret].map((text) => hash('sha256', text, 'buffer'))
    return this.#isOpen && sent !== undefined && right !== undefined && timingSafeEqual(sent, right)
  }
}
