import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FormBody } from '../../../../main/upstream/form/form-data.ts'
import {
  allBytes,
  FORM_TYPE,
  formBytes,
  type WrittenPart,
} from '../../../support/clients/form-bytes.ts'

const MEBIBYTE = 1024 * 1024

/** A file of bytes that tell where they stand. */
function bigFile(mebibytes: number): WrittenPart {
  const body = Buffer.alloc(mebibytes * MEBIBYTE)
  for (let at = 0; at < body.length; at += 4) body.writeUInt32LE(at, at)
  return { name: 'file', body, filename: 'big.wav', contentType: 'audio/wav' }
}
const model: WrittenPart = { name: 'model', body: 'whisper-1' }

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-form-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Files in that folder that this process holds open, by the numbers of their handles. */
function openIn(folder: string): string[] {
  return readdirSync('/proc/self/fd').filter((number) => {
    try {
      return readlinkSync(`/proc/self/fd/${number}`).startsWith(folder)
    } catch {
      return false
    }
  })
}

const rules = { files: ['file'], single: ['model'] }
const open = (source: Readable, folder: string) =>
  FormBody.open(source, FORM_TYPE, { ...rules, folder })

/** In the pieces in which a socket gives them. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_000) yield bytes.subarray(at, at + 65_000)
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !isSo(); tries++) await sleep(10)
  expect(isSo()).toBe(true)
}

const isLinux = process.platform === 'linux'

describe('a large form', () => {
  test('is read from the disk as it came, by several at once, while and after it comes', async () => {
    const bytes = formBytes([model, bigFile(9)])
    const form = open(Readable.from(pieces(bytes)), temporaryFolder())
    onTestFinished(() => form.close())
    const early = [1, 2].map(() => allBytes(form.outgoing({}).bytes))
    await form.whole()
    const late = [1, 2].map(() => allBytes(form.outgoing({}).bytes))
    for (const read of await Promise.all([...early, ...late])) {
      expect(read.equals(bytes)).toBe(true)
    }
    const { files } = await form.whole()
    expect((await files[0]?.bytes())?.equals(bigFile(9).body as Buffer)).toBe(true)
  })

  test('reaches a slow upstream as it came: what is under way stays while more is read', async () => {
    const bytes = formBytes([model, bigFile(5)])
    const form = open(Readable.from(pieces(bytes)), temporaryFolder())
    onTestFinished(() => form.close())
    await form.whole()
    let at = 0
    const underWay: { piece: Buffer; from: number }[] = []
    for await (const piece of form.outgoing({}).bytes) {
      underWay.push({ piece, from: at })
      at += piece.length
      if (underWay.length > 16) underWay.shift()
      const isSame = underWay.every((one) =>
        one.piece.equals(bytes.subarray(one.from, one.from + one.piece.length)),
      )
      expect(isSame).toBe(true)
    }
    expect(at).toBe(bytes.length)
  })

  test('with the model last is taken whole although nobody reads it', async () => {
    const form = open(Readable.from(pieces(formBytes([bigFile(9), model]))), temporaryFolder())
    onTestFinished(() => form.close())
    expect(await form.field('model')).toBe('whisper-1')
  })

  test.runIf(isLinux)(
    'leaves no name in the folder, and only its owner could read it',
    async () => {
      const folder = temporaryFolder()
      const form = open(Readable.from(pieces(formBytes([bigFile(9), model]))), folder)
      await form.whole()
      expect(readdirSync(folder)).toEqual([])
      const [handle] = openIn(folder)
      expect(statSync(`/proc/self/fd/${handle}`).mode & 0o777).toBe(0o600)
      await form.close()
      await form.close()
      expect(openIn(folder)).toEqual([])
    },
  )

  test.runIf(isLinux)('that is small uses no file at all', async () => {
    const folder = temporaryFolder()
    const form = open(Readable.from([formBytes([model, bigFile(1 / 8)])]), folder)
    await form.whole()
    expect(openIn(folder)).toEqual([])
    await form.close()
  })

  test('that cannot be kept is refused, and says why without its place', async () => {
    const form = open(Readable.from(pieces(formBytes([bigFile(9), model]))), '/nowhere/at/all')
    const error = await form.whole().catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'storage_failed' })
    expect((error as Error).message).toContain('(ENOENT)')
    expect((error as Error).message).not.toContain('nowhere')
    await form.close()
  })
})

describe.runIf(isLinux)('nothing is left', () => {
  const start = formBytes([model, bigFile(9)]).subarray(0, 7 * MEBIBYTE)

  test('after the client left in the middle; who reads is told', async () => {
    const folder = temporaryFolder()
    const source = new PassThrough()
    const form = open(source, folder)
    const read = allBytes(form.outgoing({}).bytes).catch((caught: unknown) => caught)
    source.write(start)
    await until(() => openIn(folder).length === 1)
    source.destroy()
    expect(await read).toMatchObject({ code: 'client_gone' })
    await expect(form.whole()).rejects.toMatchObject({ code: 'client_gone' })
    await form.close()
    expect([openIn(folder), readdirSync(folder)]).toEqual([[], []])
  })

  test('after an error at the very end; nobody gets the whole form', async () => {
    for (const replaced of [{}, { model: 'x' }] as Record<string, string>[]) {
      const folder = temporaryFolder()
      const source = Readable.from(pieces(formBytes([model, bigFile(9), model])))
      const form = open(source, folder)
      await form.field('model')
      const read = allBytes(form.outgoing(replaced).bytes).then(
        (bytes) => bytes.length,
        (caught: unknown) => caught,
      )
      expect(await read).toMatchObject({ field: 'model' })
      await until(() => source.destroyed)
      await form.close()
      expect([openIn(folder), readdirSync(folder)]).toEqual([[], []])
    }
  })

  test('after it was closed while it was read, though it had come whole', async () => {
    for (const mebibytes of [1 / 8, 9]) {
      const folder = temporaryFolder()
      const form = open(Readable.from(pieces(formBytes([model, bigFile(mebibytes)]))), folder)
      await form.whole()
      const reader = form.outgoing({}).bytes[Symbol.asyncIterator]()
      expect((await reader.next()).done).toBe(false)
      await form.close()
      await expect(reader.next()).rejects.toMatchObject({ code: 'client_gone' })
      expect([openIn(folder), readdirSync(folder)]).toEqual([[], []])
    }
  })

  test('after it was closed while it came, was written and was read', async () => {
    for (const pause of [0, 1, 5, 20]) {
      const folder = temporaryFolder()
      const source = new PassThrough()
      const form = open(source, folder)
      const read = allBytes(form.outgoing({ model: 'x' }).bytes).catch((caught: unknown) => caught)
      source.write(start)
      await sleep(pause)
      await form.close()
      expect(await read).toMatchObject({ code: 'client_gone' })
      expect(source.destroyed).toBe(true)
      expect([openIn(folder), readdirSync(folder)]).toEqual([[], []])
    }
  })
})

test('a form that nobody asked about and that is wrong disturbs nobody', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const forms = [Buffer.from('no form'), formBytes([model, model])].map((bytes) =>
    open(Readable.from([bytes]), tmpdir()),
  )
  for (const form of forms) form.outgoing({ model: 'x' })
  await sleep(50)
  await Promise.all(forms.map((form) => form.close()))
  await sleep(10)
  expect(unhandled).toEqual([])
})
