import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'

/** An archive is a tar (ustar) in gzip; its last entry lists the others, so that a cut one is known. */
const MANIFEST = 'manifest.json'
const BLOCK = 512
/** Bytes that a size in a tar header can tell: eleven octal digits. */
const LARGEST = 8 ** 11 - 1
/** Bytes of the list, which is read whole: ten thousand files take an eighth of it. */
const LARGEST_LIST = 16 * 1024 * 1024

const manifestSchema = z.object({
  kind: z.literal('switchyard-backup'),
  version: z.number().int().min(1),
  switchyard: z.string(),
  // Told in the terminal.
  created_at: z.iso.datetime(),
  /** Where the key of the sealed secrets lies. */
  key: z.enum(['file', 'keychain', 'environment']),
  files: z.record(z.string(), z.object({ size: z.number().int(), sha256: z.string() })),
})
export type Manifest = z.infer<typeof manifestSchema>

const VERSION = 1

function headerOf(name: string, size: number, seconds: number): Buffer {
  if (size > LARGEST) throw new Error(`${name} is larger than 8 GB, which a backup cannot hold.`)
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, length: number) =>
    `${value.toString(8).padStart(length - 1, '0')}\0`
  header.write(name, 0, 100)
  header.write(octal(0o600, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(size, 12), 124)
  header.write(octal(seconds, 12), 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

const paddingOf = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** Writes files of a folder into one archive of mode 0600. */
export async function writeArchive(
  path: string,
  folder: string,
  names: readonly string[],
  about: Pick<Manifest, 'switchyard' | 'key'>,
): Promise<void> {
  const now = new Date()
  const seconds = Math.floor(now.getTime() / 1000)
  const files: Manifest['files'] = {}
  async function* parts(): AsyncGenerator<Buffer> {
    for (const name of names) {
      const { size } = statSync(join(folder, name))
      yield headerOf(name, size, seconds)
      const hash = createHash('sha256')
      for await (const piece of createReadStream(join(folder, name))) {
        hash.update(piece)
        yield piece
      }
      yield paddingOf(size)
      files[name] = { size, sha256: hash.digest('hex') }
    }
    const manifest: Manifest = {
      kind: 'switchyard-backup',
      version: VERSION,
      ...about,
      created_at: now.toISOString(),
      files,
    }
    const text = Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`)
    yield headerOf(MANIFEST, text.length, seconds)
    yield Buffer.concat([text, paddingOf(text.length), Buffer.alloc(2 * BLOCK)])
  }
  const target = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true })
  await pipeline(Readable.from(parts()), createGzip({ level: 3 }), target)
}

/** Why an archive can't be used, as the end of a sentence. */
export class BrokenArchive extends Error {}

/** Reads `size` bytes at a time from a stream of pieces. */
class Pieces {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async *take(size: number): AsyncGenerator<Buffer> {
    let left = size
    while (left > 0) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#source.next()
        if (done) throw new BrokenArchive('it is cut off')
        this.#rest = value
      }
      const piece = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }

  async whole(size: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.take(size)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
}

const readOctal = (header: Buffer, from: number, length: number): number =>
  Number.parseInt(header.toString('latin1', from, from + length).replace(/[\0 ]+$/, ''), 8)

/** Backups hold plain files of the data folder and of `connect/` in it; no other path may be written. A header has room for 100 characters. */
const FILE_NAME = /^(?:connect\/)?[a-z][a-z0-9.-]{0,90}$/

/** Unpacks an archive into an empty folder and checks every byte; throws `BrokenArchive`. */
export async function readArchive(path: string, folder: string): Promise<Manifest> {
  const found: Manifest['files'] = {}
  const strange = (): string =>
    Object.keys(found).length > 0 ? 'it is damaged' : 'it is not a backup of Switchyard'
  const source = createReadStream(path)
  const unzipped = createGunzip()
  source.on('error', (error) => unzipped.destroy(error))
  const pieces = new Pieces(source.pipe(unzipped))
  try {
    for (;;) {
      const header = await pieces.whole(BLOCK)
      if (header.toString('latin1', 257, 262) !== 'ustar') {
        throw new BrokenArchive(strange())
      }
      const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '')
      const size = readOctal(header, 124, 12)
      const isFile = header.toString('latin1', 156, 157) === '0'
      if (!isFile || !FILE_NAME.test(name) || !Number.isSafeInteger(size)) {
        throw new BrokenArchive(strange())
      }
      if (name === MANIFEST) {
        if (size > LARGEST_LIST) throw new BrokenArchive('its list of files is damaged')
        return checked(await pieces.whole(size), found)
      }
      if (Object.hasOwn(found, name)) throw new BrokenArchive(`it holds ${name} twice`)
      const hash = createHash('sha256')
      const body = async function* (): AsyncGenerator<Buffer> {
        for await (const piece of pieces.take(size)) {
          hash.update(piece)
          yield piece
        }
      }
      mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 })
      const target = createWriteStream(join(folder, name), { mode: 0o600, flags: 'wx' })
      await pipeline(body, target)
      await pieces.whole(paddingOf(size).length)
      found[name] = { size, sha256: hash.digest('hex') }
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw new BrokenArchive('it is cut off', { cause: error })
    if (code === 'Z_DATA_ERROR') {
      throw new BrokenArchive('it is damaged, or not a backup of Switchyard', { cause: error })
    }
    throw error
  } finally {
    source.destroy()
    unzipped.destroy()
  }
}

function checked(text: Buffer, found: Manifest['files']): Manifest {
  let json: unknown
  try {
    json = JSON.parse(text.toString('utf8'))
  } catch (cause) {
    throw new BrokenArchive('its list of files is damaged', { cause })
  }
  const { success, data: manifest } = manifestSchema.safeParse(json)
  if (!success) throw new BrokenArchive('it is not a backup of Switchyard')
  if (manifest.version > VERSION) {
    throw new BrokenArchive('it was made by a newer Switchyard; install that one first')
  }
  const wrong = Object.entries(manifest.files).find(
    ([name, { sha256 }]) => found[name]?.sha256 !== sha256,
  )
  if (wrong) throw new BrokenArchive(`${wrong[0]} in it is damaged or missing`)
  if (!manifest.files['state.json']) throw new BrokenArchive('it holds no state')
  return manifest
}
