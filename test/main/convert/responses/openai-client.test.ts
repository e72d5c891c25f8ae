import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI from 'openai'
import type { ResponseCreateParams } from 'openai/resources/responses/responses'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerTarget } from '../../../../main/convert/conversion.ts'
import type { Part } from '../../../../main/convert/exchange.ts'
import type { ExchangeResponse } from '../../../../main/convert/exchange-response.ts'
import { responsesConversion } from '../../../../main/convert/responses/conversion.ts'
import { spreadResponse } from '../../../../main/convert/stream/spread-response.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'

type Json = Record<string, unknown>

const parts: Part[] = [
  { type: 'reasoning', sections: ['I add.', 'I check.'], form: 'summary' },
  { type: 'reasoning', sections: ['2+2'], form: 'raw' },
  {
    type: 'text',
    text: 'Größe 列表 🎉 is {"answer":4}',
    citations: [{ type: 'url', url: 'https://a.example', title: 'A', start: 0, end: 5 }],
  },
  { type: 'call', id: 'call_1', name: 'add', kind: 'function', arguments: '{"a":2,"b":2}' },
  { type: 'call', id: 'call_2', name: 'patch', kind: 'freeform', arguments: '*** Begin' },
  {
    type: 'hosted',
    tool: 'web-search',
    origin: 'messages',
    value: { type: 'server_tool_use', name: 'web_search', input: { query: 'q' } },
  },
  { type: 'refusal', text: 'No more.' },
]

const answer: ExchangeResponse = {
  id: 'msg_1',
  model: 'claude',
  created: null,
  choices: [{ parts, stop: { reason: 'tool-calls' } }],
  usage: { input: 12, cachedInput: 4, cacheWrite: 0, output: 9, reasoning: 3 },
}

const failing: StreamPart[] = [
  ...spreadResponse(answer).slice(0, 4),
  { type: 'error', message: 'Overloaded', status: 529, code: null },
]

let server: Server
let client: OpenAI

/** Reads requests and writes answers as the gateway does, without a vendor. */
beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Json
      const target: AnswerTarget = {
        id: 'a1',
        model: String(body.model),
        request: responsesConversion.decodeRequest(body, {}),
        estimatedInput: 10,
        created: 1_790_000_000,
      }
      if (body.stream !== true) {
        outgoing.setHeader('content-type', 'application/json')
        outgoing.end(JSON.stringify(responsesConversion.encodeResponse(answer, target)))
        return
      }
      outgoing.setHeader('content-type', 'text/event-stream; charset=utf-8')
      const encoder = responsesConversion.createEncoder(target)
      const given = body.model === 'failing' ? failing : spreadResponse(answer)
      for (const part of given) outgoing.write(encoder.push(part))
      outgoing.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = new OpenAI({ apiKey: 'k', baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 })
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

const params = {
  model: 'asked',
  input: 'Add 2 and 2.',
  tools: [
    {
      type: 'function' as const,
      name: 'add',
      strict: false,
      parameters: { type: 'object', properties: {} },
    },
    { type: 'custom' as const, name: 'patch' },
  ],
} satisfies ResponseCreateParams

const seen = (response: OpenAI.Responses.Response) => ({
  id: response.id,
  model: response.model,
  status: response.status,
  text: response.output_text,
  types: response.output.map(({ type }) => type),
  usage: response.usage,
})

const expected = {
  id: 'resp_a1',
  model: 'asked',
  status: 'completed',
  text: 'Größe 列表 🎉 is {"answer":4}',
  types: [
    'reasoning',
    'reasoning',
    'message',
    'function_call',
    'custom_tool_call',
    'web_search_call',
    'message',
  ],
  usage: {
    input_tokens: 12,
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
    output_tokens: 9,
    output_tokens_details: { reasoning_tokens: 3 },
    total_tokens: 21,
  },
}

describe('OpenAI’s own client', () => {
  test('reads a whole answer', async () => {
    const response = await client.responses.create(params)
    expect(seen(response)).toEqual(expected)
    expect(response.output[2]).toMatchObject({
      content: [{ annotations: [{ type: 'url_citation', start_index: 0, end_index: 5 }] }],
    })
  })

  test('gathers a stream into the same answer, event by event', async () => {
    const stream = client.responses.stream(params)
    const types: string[] = []
    let spoken = ''
    let called = ''
    stream.on('event', ({ type }) => types.push(type))
    stream.on('response.output_text.delta', ({ snapshot }) => {
      spoken = snapshot
    })
    stream.on('response.function_call_arguments.delta', ({ snapshot }) => {
      called = snapshot
    })
    const final = await stream.finalResponse()
    expect(seen(final)).toEqual(expected)
    expect(spoken).toBe(expected.text)
    expect(called).toBe('{"a":2,"b":2}')
    expect(types[0]).toBe('response.created')
    expect(types.at(-1)).toBe('response.completed')
    const whole = await client.responses.create(params)
    const plain = JSON.parse(JSON.stringify(final.output)) as Json[]
    for (const item of plain) {
      delete item.parsed_arguments
      for (const part of (item.content as Json[] | undefined) ?? []) delete part.parsed
    }
    expect(plain).toEqual(whole.output)
  })

  test('gets the same from its plain stream', async () => {
    const stream = await client.responses.create({ ...params, stream: true })
    let sequence = 0
    for await (const event of stream) {
      expect(event.sequence_number).toBe(sequence++)
      if (event.type === 'response.completed') expect(event.response.output).toHaveLength(7)
    }
    expect(sequence).toBeGreaterThan(20)
  })

  test('throws the vendor’s words when a stream fails', async () => {
    const stream = client.responses.stream({ ...params, model: 'failing' })
    await expect(stream.finalResponse()).rejects.toThrow('Overloaded')
  })
})
