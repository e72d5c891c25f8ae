import { PassThrough, Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FormBody, type FormOptions } from '../../../../main/upstream/form/form-data.ts'
import {
  FORM_TYPE,
  formBytes,
  type WrittenPart,
  wavBytes,
} from '../../../support/clients/form-bytes.ts'

const rules: FormOptions = { files: ['file'], single: ['model'] }
const model: WrittenPart = { name: 'model', body: 'whisper-1' }
const file: WrittenPart = {
  name: 'file',
  body: wavBytes(),
  filename: 'speech.wav',
  contentType: 'audio/wav',
}

function open(
  form: Buffer | readonly WrittenPart[],
  options: Partial<FormOptions> = {},
  type = FORM_TYPE,
): FormBody {
  const bytes = Buffer.isBuffer(form) ? form : formBytes(form as readonly WrittenPart[])
  const body = FormBody.open(Readable.from([bytes]), type, { ...rules, ...options })
  onTestFinished(() => body.close())
  return body
}

describe('what a form holds', () => {
  test('is read with its names, its types and the bytes of its files', async () => {
    const { fields, files } = await open([
      model,
      { name: 'timestamp_granularities[]', body: 'word' },
      { name: 'timestamp_granularities[]', body: 'segment' },
      { name: 'prompt', body: 'größer, 大' },
      { name: 'language', body: '' },
      file,
    ]).whole()
    expect(fields).toEqual({
      model: ['whisper-1'],
      'timestamp_granularities[]': ['word', 'segment'],
      prompt: ['größer, 大'],
      language: [''],
    })
    expect(files).toMatchObject([
      { field: 'file', filename: 'speech.wav', contentType: 'audio/wav', size: 216 },
    ])
    expect(await files[0]?.bytes()).toEqual(wavBytes())
  })

  test('several files are told apart, each can be read again and again, also at once', async () => {
    const images = [1, 2, 3].map((number) => ({
      name: 'image[]',
      body: Buffer.alloc(100_000 * number, number),
      filename: `${number}.png`,
    }))
    const { files } = await open([model, ...images], { files: ['image', 'image[]'] }).whole()
    const read = await Promise.all([...files, ...files].map((one) => one.bytes()))
    expect(read.map((bytes) => [bytes.length, bytes[0], bytes.at(-1)])).toEqual([
      ...[1, 2, 3, 1, 2, 3].map((number) => [100_000 * number, number, number]),
    ])
  })

  test.each([
    ['a quoted boundary', 'multipart/form-data; boundary="----test-boundary"'],
    ['another order and case', 'Multipart/Form-Data; charset=utf-8; Boundary=----test-boundary'],
  ])('%s in the content-type is understood', async (_, type) => {
    expect(await open([model, file], {}, type).field('model')).toBe('whisper-1')
  })

  test.each([
    ['form-data; name="file"; filename="na\u00efve \\"a\\".wav"', 'naïve "a".wav'],
    [`form-data; name="file"; filename*=UTF-8''na%C3%AFve.wav`, 'naïve.wav'],
    [`form-data; name="file"; filename="x.wav"; filename*=utf-8''%E5%A4%A7.wav`, '大.wav'],
    [`form-data; name="file"; filename="x.wav"; filename*=klingon''y.wav`, 'x.wav'],
    ['form-data; filename=plain.wav; name=file', 'plain.wav'],
    ['form-data; name="file"; filename="C:\\sounds\\a;b.wav"', 'C:\\sounds\\a;b.wav'],
  ])('a file named by %s is called %s', async (disposition, filename) => {
    const head = `content-disposition: ${disposition}\r\ncontent-type: audio/wav`
    const { files } = await open([model, { ...file, head }]).whole()
    expect(files[0]?.filename).toBe(filename)
  })

  test('text in a charset that its part names is read in it', async () => {
    const head =
      'Content-Disposition: form-data; name="prompt"\r\nContent-Type: text/plain; charset=iso-8859-1'
    const prompt = { name: 'prompt', head, body: Buffer.from('größer', 'latin1') }
    expect((await open([prompt, file]).whole()).fields.prompt).toEqual(['größer'])
  })

  test('a field called as something of every object is a field like others', async () => {
    const { fields } = await open([{ name: '__proto__', body: 'x' }, file]).whole()
    expect(Object.keys(fields)).toEqual(['__proto__'])
  })
})

describe('a field is known', () => {
  test('while the file is still on its way, and when it comes after the file', async () => {
    const source = new PassThrough()
    const first = FormBody.open(source, FORM_TYPE, rules)
    onTestFinished(() => first.close())
    source.write(formBytes([model, file]).subarray(0, 300))
    expect(await first.field('model')).toBe('whisper-1')
    expect(await open([file, model]).field('model')).toBe('whisper-1')
  })

  test('to be missing when the form has come whole', async () => {
    expect(await open([file]).field('model')).toBeUndefined()
  })
})

const many = (count: number, part: WrittenPart) => Array.from({ length: count }, () => part)
const note: WrittenPart = { name: 'note', body: 'x' }

test('a form and a field of exactly the size that they may have are taken', async () => {
  const bytes = formBytes([{ ...note, body: 'x'.repeat(1000) }, file])
  const form = open(bytes, { limits: { bytes: bytes.length, fieldBytes: 1000 } })
  expect((await form.whole()).files).toHaveLength(1)
})

describe('a wrong form is refused', () => {
  test.each<[string, Buffer | readonly WrittenPart[], string, RegExp]>([
    ['without a file', [model], 'file', /^file: is missing\. Send/],
    ['with nothing in it', [], 'file', /^file: is missing\. Send/],
    ['with two models', [model, { ...model, body: 'x' }, file], 'model', /twice/],
    ['with the same model twice', [model, file, model], 'model', /twice/],
    ['with its file as text', [{ name: 'file', body: 'RIFF' }, model], 'file', /sent as text/],
    ['with its model as a file', [{ ...model, filename: 'm' }, file], 'model', /sent as a file/],
    ['with an empty file', [model, { ...file, body: '' }], 'file', /empty file/],
    ['with 33 files', many(33, file), 'file', /32 files/],
    ['with 257 fields', [...many(257, note), file], 'note', /256 text fields/],
    ['with a field over 1 MiB', [{ ...note, body: 'x'.repeat(2 ** 20 + 1) }], 'note', /1 MiB/],
    [
      'with a part that names no field',
      [{ ...note, head: 'Content-Disposition: form-data' }, file],
      '',
      /does not say its field/,
    ],
    [
      'with a part that names its field in two lines',
      [
        {
          ...note,
          head: 'Content-Disposition: form-data; name="note"\r\nContent-Disposition: form-data; name="model"',
        },
        file,
      ],
      'note',
      /name/,
    ],
    ['with a part that has no head', [{ ...note, head: '' }, file], '', /does not say its field/],
    [
      'with a flood of lines in a head',
      [{ ...note, head: 'X-Y: z\r\n'.repeat(40).trim() }, file],
      '',
      /too large a head/,
    ],
    [
      'with an endless line in a head',
      [{ ...note, head: `Content-Disposition: form-data; name="${'x'.repeat(20_000)}"` }, file],
      '',
      /too large a head/,
    ],
    ['that is none', Buffer.from('{"model":"whisper-1"}'), 'content-type', /is not the form/],
    ['that is empty', Buffer.alloc(0), 'content-type', /is not the form/],
    [
      'under another boundary',
      Buffer.from(formBytes([model, file], 'other')),
      'content-type',
      /no line "------test-boundary"/,
    ],
    ['that is cut', formBytes([model, file]).subarray(0, 330), '', /is cut/],
    ['that lacks its closing line', formBytes([model, file]).subarray(0, -6), '', /is cut/],
  ])('%s', async (_, form, field, words) => {
    const body = open(form)
    const error = await body.whole().catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'invalid_request', status: 400 })
    expect((error as Error).message).toMatch(words)
    expect((error as { field?: string }).field ?? '').toBe(field)
    await expect(body.field('missing')).rejects.toBe(error)
  })

  test.each([
    ['multipart/form-data', 'invalid_request', 'has no boundary'],
    ['multipart/form-data; boundary=""', 'invalid_request', 'has no boundary'],
    [`multipart/form-data; boundary=${'x'.repeat(201)}`, 'invalid_request', 'longer than 200'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type', 'multipart/form-data'],
  ])('by its content-type %s', (type, code, words) => {
    const error = (() => {
      try {
        return open([model, file], {}, type)
      } catch (caught) {
        return caught
      }
    })()
    expect(error).toMatchObject({ code, field: 'content-type' })
    expect((error as Error).message).toContain(words)
  })

  test('over its size, with 413', async () => {
    const form = open([model, file], { limits: { bytes: 300 } })
    await expect(form.whole()).rejects.toMatchObject({ code: 'payload_too_large', status: 413 })
  })

  test('and not read any further', async () => {
    const source = new PassThrough()
    const form = FormBody.open(source, FORM_TYPE, rules)
    onTestFinished(() => form.close())
    source.write(formBytes([{ ...model, filename: 'm' }, file]).subarray(0, -20))
    await expect(form.whole()).rejects.toMatchObject({ field: 'model' })
    expect(source.destroyed).toBe(true)
  })

  test('a head made to be slow to read costs nothing', async () => {
    const head = `Content-Disposition: form-data; name="${'\\'.repeat(15_000)}`
    const before = performance.now()
    await expect(open([{ ...note, head }]).whole()).rejects.toThrow()
    expect(performance.now() - before).toBeLessThan(2000)
  })
})
