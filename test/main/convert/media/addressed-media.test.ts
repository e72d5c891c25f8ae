import { expect, test } from 'vitest'
import { conversionOf } from '../../../../main/convert/codecs.ts'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { addressedMedia, MediaFiles } from '../../../../main/convert/media/addressed-media.ts'
import { readFetched, wrongLabel } from '../../../../main/convert/media/fetched-media.ts'
import { modelRules } from '../../../../main/convert/model/model-rules.ts'

const IMAGE = 'https://example.org/cat.png'
const PDF = 'https://example.org/paper.pdf'
const INSECURE = 'http://example.org/cat.png'

/** A turn of each format's client with a picture and a document, each at its address. */
const asked: Readonly<Record<WireFormat, (image: string, pdf: string) => Record<string, unknown>>> =
  {
    chat: (image, pdf) => ({
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: image } },
            { type: 'file', file: { file_data: pdf, filename: 'paper.pdf' } },
          ],
        },
      ],
    }),
    messages: (image, pdf) => ({
      max_tokens: 10,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'url', url: image } },
            { type: 'document', source: { type: 'url', url: pdf } },
          ],
        },
      ],
    }),
    'generate-content': (image, pdf) => ({
      contents: [
        {
          role: 'user',
          parts: [
            { fileData: { fileUri: image, mimeType: 'image/png' } },
            { fileData: { fileUri: pdf, mimeType: 'application/pdf' } },
          ],
        },
      ],
    }),
    responses: (image, pdf) => ({
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: image },
            { type: 'input_file', file_url: pdf },
          ],
        },
      ],
    }),
  }

const models: Readonly<Record<WireFormat, string>> = {
  chat: 'gpt-5.6',
  messages: 'claude-opus-5-5',
  'generate-content': 'gemini-3.8-flash',
  responses: 'gpt-5.6',
}

function paths(client: WireFormat, upstream: WireFormat, image = IMAGE, model = models[upstream]) {
  const request = conversionOf(client).decodeRequest({ model, ...asked[client](image, PDF) }, {})
  const rules = modelRules(upstream, model)
  return addressedMedia(request, conversionOf(client), conversionOf(upstream), rules).map(
    ({ path }) => path,
  )
}

test('only what the vendor does not fetch itself has to be fetched, and its place is told', () => {
  expect(paths('messages', 'chat')).toEqual(['messages[0].content[1].source.url'])
  expect(paths('chat', 'messages')).toEqual([])
  expect(paths('chat', 'messages', INSECURE)).toEqual(['messages[1].content[0].image_url.url'])
  expect(paths('chat', 'generate-content')).toEqual([])
  expect(paths('chat', 'generate-content', IMAGE, 'gemini-2.0-flash')).toEqual([
    'messages[1].content[0].image_url.url',
    'messages[1].content[1].file.file_data',
  ])
  expect(paths('responses', 'chat')).toEqual(['input[0].content[1].file_url'])
  expect(paths('responses', 'generate-content', INSECURE)).toEqual([
    'input[0].content[0].image_url',
  ])
  expect(paths('generate-content', 'chat')).toEqual(['contents[0].parts[1].fileData.fileUri'])
  expect(paths('messages', 'responses')).toEqual([])
  expect(paths('messages', 'messages', INSECURE, 'kimi-k3')).toEqual([])
  expect(paths('chat', 'messages', IMAGE, 'kimi-k3')).toHaveLength(2)
})

test('an address that stands in a tool’s result, or twice, is fetched once', () => {
  const image = { type: 'image', source: { type: 'url', url: INSECURE } }
  const body = {
    model: 'm',
    max_tokens: 10,
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'a', content: [image] }, image],
      },
    ],
  }
  const request = conversionOf('messages').decodeRequest(body, {})
  const rules = modelRules('generate-content', 'gemini-3.8-flash')
  const missing = addressedMedia(
    request,
    conversionOf('messages'),
    conversionOf('generate-content'),
    rules,
  )
  expect(missing.map(({ path }) => path)).toEqual(['messages[2].content[0].content[0].source.url'])
  const files = new MediaFiles()
  const source = { type: 'base64', mediaType: 'image/png', data: 'aGk=' } as const
  for (const one of missing) files.set(one, { kind: 'image', source })
  const placed = JSON.stringify(files.placedIn(request))
  expect([placed.split('aGk=').length - 1, placed.includes(INSECURE)]).toEqual([2, false])
  expect(JSON.stringify(request)).toContain(INSECURE)
})

const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')
const PDF_BYTES = Buffer.from('%PDF-1.7 rest')
const picture = { url: 'https://a.test/x', kind: 'image', mediaType: null, path: 'here' } as const
const paper = { ...picture, kind: 'document' } as const
const pdf = { ...paper, url: 'https://a.test/x.pdf?y=1' } as const

test('a label that names something else is refused before the file is read', () => {
  expect(wrongLabel(picture, 'image/png')).toBeNull()
  expect(wrongLabel(picture, '')).toBeNull()
  expect(wrongLabel(picture, 'application/octet-stream')).toBeNull()
  expect(wrongLabel(picture, 'text/html; charset=utf-8')).toBe('it is text/html, not an image')
  expect(wrongLabel(paper, 'text/markdown')).toBeNull()
  expect(wrongLabel(pdf, 'text/html')).toBe('it is text/html, not a PDF or a text')
  expect(wrongLabel(paper, 'video/mp4')).toBe('it is video/mp4, not a PDF or a text')
  expect(wrongLabel(paper, `x${'\u0007'}/<script>`)).toBe(
    'it is of no known type, not a PDF or a text',
  )
})

test('a file’s first bytes say what it is, whatever it is called', () => {
  const read = (
    file: typeof picture | typeof paper | typeof pdf,
    contentType: string,
    bytes: Buffer,
  ) => readFetched(file, { contentType, bytes })
  const asPng = { type: 'base64', mediaType: 'image/png', data: PNG.toString('base64') }
  expect(read(picture, 'image/jpeg', PNG)).toEqual({ kind: 'image', source: asPng })
  expect(read(picture, '', PNG)).toEqual({ kind: 'image', source: asPng })
  expect(read(picture, 'image/png', Buffer.from('<html>sign in</html>'))).toBe('it is not an image')
  expect(read(picture, 'image/png', PDF_BYTES)).toBe('it is not an image')
  expect(read(picture, 'image/png', Buffer.alloc(0))).toBe('it is empty')
  expect(read(pdf, 'application/octet-stream', PDF_BYTES)).toMatchObject({
    source: { mediaType: 'application/pdf' },
  })
  expect(read(pdf, 'application/pdf', Buffer.from('<html>'))).toBe('it is not a PDF or a text')
  expect(read(pdf, 'application/octet-stream', Buffer.from('text'))).toBe(
    'it is not a PDF or a text',
  )
  expect(read(paper, '', PNG)).toEqual({ kind: 'image', source: asPng })
})

test('a text is read in the character set that its server names', () => {
  const latin = Buffer.from('caf\xe9', 'latin1')
  const read = (contentType: string, bytes: Buffer) => readFetched(paper, { contentType, bytes })
  const source = { type: 'text', text: 'café', mediaType: 'text/plain' }
  expect(read('text/plain; charset=ISO-8859-1', latin)).toEqual({ kind: 'document', source })
  expect(read('', Buffer.from('café'))).toEqual({ kind: 'document', source })
  expect(read('text/plain', latin)).toBe('it is not a PDF or a text')
  expect(read('text/plain; charset=none-such', latin)).toBe('it is not a PDF or a text')
  expect(read('', Buffer.from('a\0b'))).toBe('it is not a PDF or a text')
})
