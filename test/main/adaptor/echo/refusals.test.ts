import { expect, test } from 'vitest'
import type { LocalFile } from '../../../../main/adaptor/adaptor.ts'
import { echo } from '../../../../main/adaptor/vendor/echo.ts'
import type { CallFormat } from '../../../../main/convert/call-format.ts'

const empty: LocalFile = {
  field: 'file',
  filename: 'a.wav',
  contentType: 'audio/wav',
  bytes: Buffer.alloc(0),
}

async function refusalOf(format: CallFormat, body: Record<string, unknown>, files: LocalFile[]) {
  const given = echo.local?.answer({
    format,
    verb: 'generate',
    stream: body.stream === true,
    body,
    files,
    model: 'echo',
    altSse: true,
    signal: new AbortController().signal,
  })
  const parts: Buffer[] = []
  for await (const chunk of given?.chunks ?? []) parts.push(chunk)
  const text = Buffer.concat(parts).toString()
  return { status: given?.status, body: JSON.parse(text) as Record<string, unknown> }
}

const sound: LocalFile = { ...empty, bytes: Buffer.alloc(9) }
const tooMany = Array.from({ length: 2049 }, () => 'a')
const said = { voice: 'alloy', input: 'Hi' }
const drawn = { prompt: 'A cat' }
const ranked = { query: 'a', documents: ['a'] }

const wrong: readonly [CallFormat, string, Record<string, unknown>, LocalFile[]?][] = [
  ['completions', 'prompt', { prompt: 5 }],
  ['completions', 'prompt', { prompt: [] }],
  ['completions', 'logprobs', { prompt: 'a', logprobs: 2 }],
  ['completions', 'suffix', { prompt: 'a', suffix: 'b' }],
  ['completions', 'n', { prompt: 'a', n: 0 }],
  // A short request whose answer would have gigabytes.
  ['completions', 'prompt', { prompt: tooMany, n: 128 }],
  ['completions', 'prompt', { prompt: ['a', 'b'], n: 65 }],
  ['completions', 'echo', { prompt: 'a'.repeat(200_000), n: 128, echo: true }],
  ['compact', 'input', { previous_response_id: 'resp_1' }],
  ['embeddings', 'input', {}],
  ['embeddings', 'input', { input: [] }],
  ['embeddings', 'input', { input: tooMany }],
  ['embeddings', 'input[1]', { input: ['a', ''] }],
  ['embeddings', 'dimensions', { input: 'a', dimensions: 5000 }],
  ['embeddings', 'dimensions', { input: 'a', dimensions: 2.5 }],
  ['embeddings', 'dimensions', { input: tooMany.slice(1), dimensions: 513 }],
  ['embeddings', 'encoding_format', { input: 'a', encoding_format: 'int8' }],
  ['images', 'prompt', {}],
  ['images', 'size', { ...drawn, size: 'large' }],
  ['images', 'size', { ...drawn, size: '0x100' }],
  ['images', 'n', { ...drawn, n: 11 }],
  ['images', 'n', { ...drawn, n: 2, stream: true }],
  ['images', 'output_format', { ...drawn, output_format: 'webp' }],
  ['images', 'partial_images', { ...drawn, stream: true, partial_images: 4 }],
  ['image-edits', 'image', { ...drawn }],
  ['image-edits', 'prompt', {}, [{ ...sound, field: 'image' }]],
  ['image-variations', 'image', {}, [{ ...sound, field: 'mask' }]],
  ['speech', 'input', { voice: 'alloy' }],
  ['speech', 'input', { ...said, input: 'a'.repeat(4097) }],
  ['speech', 'voice', { input: 'Hi' }],
  ['speech', 'speed', { ...said, speed: 5 }],
  ['speech', 'stream_format', { ...said, stream_format: 'ws' }],
  ['transcriptions', 'file', {}],
  ['transcriptions', 'file', {}, [empty]],
  ['transcriptions', 'response_format', { response_format: 'pdf' }, [sound]],
  ['transcriptions', 'response_format', { response_format: 'srt', stream: true }, [sound]],
  ['rerank', 'query', { documents: ['a'] }],
  ['rerank', 'documents[0]', { query: 'a', documents: [5] }],
  ['rerank', 'top_n', { ...ranked, top_n: 0 }],
]

test.each(wrong)('%s without a right %s is refused by name', async (format, param, body, files) => {
  expect(await refusalOf(format, body, files ?? [])).toMatchObject({
    status: 400,
    body: {
      error: { type: 'invalid_request_error', param, message: expect.stringContaining(': ') },
    },
  })
})

test.each([
  ['embed-content', { content: { parts: [] } }],
  ['batch-embed-contents', { requests: [{ content: { parts: [{ text: 'a' }] } }, {}] }],
  ['batch-embed-contents', { requests: [] }],
  ['embed-content', { content: { parts: [{ text: 'a' }] }, outputDimensionality: 0 }],
] as const)('%s is refused in Google’s shape: %o', async (format, body) => {
  expect(await refusalOf(format, body, [])).toMatchObject({
    status: 400,
    body: {
      error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringMatching(/: /) },
    },
  })
})
