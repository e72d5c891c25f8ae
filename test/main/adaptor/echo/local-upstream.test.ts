import { describe, expect, test } from 'vitest'
import type { LocalRequest } from '../../../../main/adaptor/adaptor.ts'
import { echo } from '../../../../main/adaptor/vendor/echo.ts'

const request = (fields: Partial<LocalRequest> = {}): LocalRequest => ({
  format: 'chat',
  verb: 'generate',
  stream: true,
  body: { messages: [{ role: 'user', content: 'one two three four five six' }] },
  files: [],
  model: 'echo',
  altSse: true,
  signal: new AbortController().signal,
  ...fields,
})

const answer = (fields: Partial<LocalRequest> = {}) => {
  const given = echo.local?.answer(request(fields))
  if (!given) throw new Error('Echo answers nothing')
  return given
}

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts).toString()
}

test('a stream ends soon after its call is aborted', async () => {
  const caller = new AbortController()
  let seen = 0
  const read = async () => {
    for await (const _chunk of answer({ signal: caller.signal }).chunks) {
      seen++
      if (seen === 2) caller.abort()
    }
  }
  await expect(read()).rejects.toMatchObject({ name: 'AbortError' })
  expect(seen).toBe(2)
})

test('a Gemini stream without alt=sse is one JSON array', async () => {
  const { headers, chunks } = answer({
    format: 'generate-content',
    altSse: false,
    body: { contents: [{ role: 'user', parts: [{ text: 'one two three' }] }] },
  })
  expect(headers['content-type']).toMatch(/^application\/json/)
  const responses = JSON.parse(await textOf(chunks)) as {
    candidates: { finishReason?: string }[]
  }[]
  expect(responses.length).toBeGreaterThan(2)
  expect(responses.at(-1)?.candidates[0]?.finishReason).toBe('STOP')
})

test('Gemini’s fields may come in snake case', async () => {
  const { chunks } = answer({
    format: 'generate-content',
    stream: false,
    body: {
      contents: [
        { parts: [{ inline_data: { mime_type: 'image/png', data: 'aaaa' } }, { text: 'Look' }] },
      ],
      generation_config: { max_output_tokens: 5 },
    },
  })
  const text = await textOf(chunks)
  expect(text).toContain('Echo: (an image)')
  expect(text).toContain('MAX_TOKENS')
})

describe('a body without its conversation is refused in the format’s own shape', () => {
  test.each([
    ['chat', { error: { type: 'invalid_request_error', param: 'messages' } }],
    ['messages', { type: 'error', error: { type: 'invalid_request_error' } }],
    ['generate-content', { error: { code: 400, status: 'INVALID_ARGUMENT' } }],
    ['responses', { error: { type: 'invalid_request_error', param: 'input' } }],
  ] as const)('%s', async (format, expected) => {
    const { status, chunks } = answer({ format, body: {} })
    expect(status).toBe(400)
    expect(JSON.parse(await textOf(chunks))).toMatchObject(expected)
  })
})

test('JSON that was asked for is JSON', async () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
  const { chunks } = answer({
    stream: false,
    body: {
      messages: [{ role: 'user', content: 'Hi' }],
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
    },
  })
  const body = JSON.parse(await textOf(chunks)) as { choices: { message: { content: string } }[] }
  expect(JSON.parse(body.choices[0]?.message.content ?? '')).toEqual({ name: 'echo' })
})

test('its models are known without asking anyone', () => {
  expect(echo.local?.models).toEqual(['echo', 'echo-mini'])
})

describe('what a strict reader of the stream sees', () => {
  const said = { messages: [{ role: 'user', content: 'Hi' }], input: 'Hi' }
  const eventNames = (text: string) => [...text.matchAll(/^event: (.+)$/gm)].map(([, name]) => name)

  test('chat: data lines only, [DONE] last', async () => {
    const text = await textOf(answer({ body: said }).chunks)
    const lines = text.split('\n\n').filter((line) => line !== '')
    expect(lines.every((line) => line.startsWith('data: '))).toBe(true)
    expect(lines.at(-1)).toBe('data: [DONE]')
    expect(lines.at(-2)).toContain('"delta":{},"logprobs":null,"finish_reason":"stop"')
  })

  test('messages: every event in its place', async () => {
    const text = await textOf(answer({ format: 'messages', body: said }).chunks)
    expect(eventNames(text)).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(text).not.toContain('[DONE]')
  })

  test('responses: every event in its place', async () => {
    const text = await textOf(answer({ format: 'responses', body: said }).chunks)
    expect(eventNames(text)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(text).not.toContain('[DONE]')
  })
})
