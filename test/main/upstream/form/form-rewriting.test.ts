import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FormBody } from '../../../../main/upstream/form/form-data.ts'
import { cutAtRandom } from '../../../support/clients/cut-at-random.ts'
import {
  allBytes,
  FORM_TYPE,
  formBytes,
  type WrittenPart,
  wavBytes,
} from '../../../support/clients/form-bytes.ts'

const model: WrittenPart = { name: 'model', body: 'whisper-1' }
const file: WrittenPart = {
  name: 'file',
  body: wavBytes(),
  filename: 'speech.wav',
  contentType: 'audio/wav',
}

function open(parts: readonly WrittenPart[], seed = 1): FormBody {
  const pieces = cutAtRandom(formBytes(parts), seed, 100)
  const form = FormBody.open(Readable.from(pieces), FORM_TYPE, {
    files: ['file'],
    single: ['model'],
  })
  onTestFinished(() => form.close())
  return form
}

/** The entries of a form that another reader finds, in order and with their names. */
async function entriesOf(type: string, bytes: Buffer) {
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': type },
  }).formData()
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? [name, value]
        : [name, value.name, value.type, Buffer.from(await value.arrayBuffer()).toString('hex')],
    ),
  )
}

/** The form with these changes, as it is sent when it has come whole. */
async function sent(form: FormBody, replaced: Record<string, string>) {
  await form.whole()
  const { contentType, contentLength, bytes } = form.outgoing(replaced)
  const whole = await allBytes(bytes)
  expect(contentLength).toBe(whole.length)
  return { contentType, whole, text: whole.toString('latin1') }
}

describe('a form of which nothing changes', () => {
  test('goes out byte by byte under its own boundary', async () => {
    for (const replaced of [{}, { model: 'whisper-1' }] as Record<string, string>[]) {
      const { contentType, whole } = await sent(open([file, model]), replaced)
      expect(contentType).toBe(FORM_TYPE)
      expect(whole).toEqual(formBytes([file, model]))
    }
  })

  test('does not go out to its last byte before it is known to be right', async () => {
    const bytes = formBytes([model, file, model])
    const form = FormBody.open(Readable.from([bytes]), FORM_TYPE, {
      ...{ files: ['file'], single: ['model'], contentLength: bytes.length },
    })
    onTestFinished(() => form.close())
    let size = 0
    const read = async () => {
      for await (const chunk of form.outgoing({}).bytes) size += chunk.length
    }
    await expect(read()).rejects.toMatchObject({ field: 'model' })
    expect(size).toBeLessThan(bytes.length)
  })

  test('has the length that its sender told while it is still on its way', () => {
    const options = { files: ['file'], single: [], contentLength: 1234 }
    const form = FormBody.open(new Readable({ read() {} }), FORM_TYPE, options)
    onTestFinished(() => form.close())
    expect(form.outgoing({}).contentLength).toBe(1234)
    expect(form.outgoing({ model: 'x' }).contentLength).toBeNull()
  })
})

describe('a form with another model', () => {
  test('keeps all else: order, repeated fields, names and types of files', async () => {
    const parts: WrittenPart[] = [
      { name: 'include[]', body: 'logprobs' },
      {
        ...file,
        filename: 'größe "1".wav'.replaceAll('"', '%22'),
        contentType: 'audio/x-own; a=b',
      },
      { name: 'include[]', body: '大\r\n--x' },
      model,
      { name: 'last', body: '' },
    ]
    const { contentType, whole } = await sent(open(parts), { model: 'own/größer' })
    const before = await entriesOf(FORM_TYPE, formBytes(parts))
    expect(await entriesOf(contentType, whole)).toEqual(
      before.map(([name, ...rest]) =>
        name === 'model' ? ['model', 'own/größer'] : [name, ...rest],
      ),
    )
    expect(contentType).toMatch(/^multipart\/form-data; boundary=form-[0-9a-f]{36}$/)
    expect(whole.includes('test-boundary')).toBe(false)
  })

  test('keeps what a head says that no other reader knows', async () => {
    const head = [
      `Content-Disposition: form-data; name="file"; filename="a.wav"; filename*=UTF-8''%E5%A4%A7.wav`,
      'Content-Type: audio/wav',
      'X-Own: yes',
    ].join('\r\n')
    const { text } = await sent(open([{ ...file, head }, model]), { model: 'x' })
    expect(text).toContain(`\r\n${head}\r\n\r\nRIFF`)
  })

  test('leaves out the length that the old value had', async () => {
    const head = 'Content-Disposition: form-data; name="model"\r\nContent-Length: 9'
    const { text } = await sent(open([{ ...model, head }, file]), { model: 'x' })
    expect(text).toContain('name="model"\r\n\r\nx\r\n')
    expect(text).not.toContain('Content-Length')
  })

  test('has the model first where it had none, and once where it had several', async () => {
    const note = { name: 'note', body: '1' }
    const form = open([note, file, note])
    const { contentType, whole } = await sent(form, { model: 'x', note: '2' })
    const names = (await entriesOf(contentType, whole)).map(([name, value]) => [name, value])
    expect(names).toEqual([
      ['model', 'x'],
      ['note', '2'],
      ['file', 'speech.wav'],
    ])
    const same = await sent(open([model, note, file, { ...note, body: '2' }]), { note: '1' })
    expect((await entriesOf(same.contentType, same.whole)).map(([name]) => name)).toEqual([
      ...['model', 'note', 'file'],
    ])
  })

  test('asked for twice gives the same, under boundaries of their own', async () => {
    const form = open([model, file])
    const [one, other] = [await sent(form, { model: 'x' }), await sent(form, { model: 'x' })]
    expect(one.contentType).not.toBe(other.contentType)
    expect(await entriesOf(one.contentType, one.whole)).toEqual(
      await entriesOf(other.contentType, other.whole),
    )
  })

  test('read again is the old one with the change, for any form', async () => {
    const name = fc.constantFrom('prompt', 'include[]', 'language', 'größe', '__proto__', 'a b')
    const text = fc.record({ name, body: fc.string({ unit: 'binary', maxLength: 50 }) })
    const upload = fc.record({
      name: fc.constant('file'),
      filename: fc.constantFrom('a.wav', 'größe 大 (1).mp3', '-.WAV', 'x.y.ogg'),
      contentType: fc.constantFrom('audio/wav', 'application/octet-stream'),
      body: fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }),
    })
    const parts = fc.tuple(fc.array(fc.oneof(text, upload), { maxLength: 6 }), upload)
    await fc.assert(
      fc.asyncProperty(
        parts,
        fc.string({ unit: 'binary' }),
        fc.nat(),
        async ([some, last], value, seed) => {
          const all = [model, ...some, last]
          const { contentType, whole } = await sent(open(all, seed), { model: value })
          const expected = await entriesOf(
            FORM_TYPE,
            formBytes([{ ...model, body: value }, ...all.slice(1)]),
          )
          expect(await entriesOf(contentType, whole)).toEqual(expected)
        },
      ),
      { numRuns: 100, seed: 4 },
    )
  })
})

const latin = (text: string) => Buffer.from(text, 'latin1')

describe('a file whose name has no extension', () => {
  test.each([
    ['wav', 'audio/wav', wavBytes()],
    ['mp3', 'audio/mpeg', latin('ID3\x04 and more')],
    ['mp3', 'audio/mpeg', latin('\xff\xfb\x90d')],
    ['flac', 'audio/flac', latin('fLaC\0')],
    ['ogg', 'audio/ogg', latin('OggS\0')],
    ['webm', 'audio/webm', latin('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\x82\x84webm')],
    ['mkv', 'video/x-matroska', latin('\x1aE\xdf\xa3\xa3B\x86\x81\x01B\x82\x88matroska')],
    ['mp4', 'video/mp4', latin('\0\0\0 ftypisom\0\0')],
    ['m4a', 'audio/mp4', latin('\0\0\0 ftypM4A \0\0')],
    ['png', 'image/png', latin('\x89PNG\r\n\x1a\n')],
    ['jpg', 'image/jpeg', latin('\xff\xd8\xff\xe0')],
    ['webp', 'image/webp', latin('RIFF\0\0\0\0WEBPVP8 ')],
    ['gif', 'image/gif', latin('GIF89a')],
  ])('gets .%s and %s, which its bytes tell', async (extension, type, body) => {
    const form = open([model, { name: 'file', body, filename: 'blob' }])
    const named = { filename: `blob.${extension}`, contentType: type }
    expect((await form.whole()).files).toMatchObject([named])
    const { contentType, whole } = await sent(form, {})
    expect(contentType).not.toBe(FORM_TYPE)
    expect(await entriesOf(contentType, whole)).toEqual([
      ['model', 'whisper-1'],
      ['file', named.filename, type, body.toString('hex')],
    ])
  })

  test.each([
    ['application/octet-stream', 'audio/wav'],
    ['audio/x-wav', 'audio/x-wav'],
  ])('and the type %s is sent as %s', async (contentType, expected) => {
    const form = open([{ ...file, filename: '', contentType }])
    expect((await sent(form, {})).text).toContain(
      `filename="file.wav"\r\nContent-Type: ${expected}`,
    )
  })

  test('keeps the other lines of its head, and adds none that its name holds', async () => {
    const head = [
      `Content-Disposition: form-data; name="file"; filename*=UTF-8''blob%0D%0AX-Hidden:%20y`,
      'Content-Type: audio/wav',
      'X-Own: yes',
    ].join('\r\n')
    const { text } = await sent(open([{ ...file, head }, model]), { model: 'x' })
    expect(text).toContain('\r\nX-Own: yes\r\n')
    expect(text).toContain('blob%0D%0AX-Hidden: y.wav"\r\n')
  })

  test('is left as it is where its bytes tell nothing, or are those of AAC or AVIF', async () => {
    for (const body of ['text', '\xff\xf1P\x80', '\0\0\0 ftypavif']) {
      const parts = [model, { name: 'file', body: latin(body), filename: 'blob' }]
      expect((await sent(open(parts), {})).whole).toEqual(formBytes(parts))
    }
  })

  test('is renamed while it is still on its way', async () => {
    const source = new Readable({ read() {} })
    const form = FormBody.open(source, FORM_TYPE, { files: ['file'], single: ['model'] })
    onTestFinished(() => form.close())
    const bytes = formBytes([model, { ...file, filename: 'blob' }])
    source.push(bytes.subarray(0, 400))
    expect(await form.field('model')).toBe('whisper-1')
    const outgoing = form.outgoing({})
    source.push(bytes.subarray(400))
    source.push(null)
    expect((await allBytes(outgoing.bytes)).toString('latin1')).toContain('filename="blob.wav"')
  })
})

test('a form of our own is read like one that came', async () => {
  const files = [
    { field: 'file', filename: 'a "b".wav', contentType: 'audio/wav\r\nX: y', bytes: wavBytes() },
  ]
  const form = FormBody.of({ model: 'whisper-1', 'include[]': ['a', 'b'] }, files)
  onTestFinished(() => form.close())
  const { contentType, whole } = await sent(form, {})
  expect(await entriesOf(contentType, whole)).toEqual([
    ['model', 'whisper-1'],
    ['include[]', 'a'],
    ['include[]', 'b'],
    ['file', 'a "b".wav', expect.stringContaining('audio/wav'), wavBytes().toString('hex')],
  ])
  expect(whole.toString('latin1')).not.toContain('\r\nX: y')
})
