import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GoogleGenAI, type Part } from '@google/genai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReasoningState } from '../../../../main/convert/exchange.ts'
import type { ExchangeResponse } from '../../../../main/convert/exchange-response.ts'
import { generateContentConversion } from '../../../../main/convert/generate-content/conversion.ts'
import { parseExact, stringifyExact } from '../../../../main/convert/json/exact-json.ts'
import { spreadResponse } from '../../../../main/convert/stream/spread-response.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'
import { decoded, target } from './wire-ways.ts'

const state: ReasoningState = {
  origin: 'messages',
  kind: 'signature',
  data: 'SIG',
  model: 'claude',
}

/** The answer of another vendor's model. */
const answer: ExchangeResponse = {
  id: 'msg_1',
  model: 'claude',
  created: null,
  choices: [
    {
      parts: [
        { type: 'reasoning', sections: ['I look it up.'], form: 'summary', state },
        { type: 'text', text: 'One moment: the weather in Zürich and Łódź.' },
        {
          type: 'call',
          id: 'toolu_1',
          name: 'weather',
          kind: 'function',
          arguments: '{"city":"Zürich"}',
        },
        { type: 'call', id: 'toolu_2', name: 'weather', kind: 'function', arguments: '' },
      ],
      stop: { reason: 'tool-calls' },
    },
  ],
  usage: { input: 20, cachedInput: 5, cacheWrite: 0, output: 12, reasoning: 4 },
}

let server: Server
let bodies: Json[] = []
let fails = false

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const body = parseExact(String(Buffer.concat(chunks))) as Json
      bodies.push(body)
      const exchange = decoded(body)
      const about = target({ request: exchange })
      if (!request.url?.includes(':streamGenerateContent')) {
        response.setHeader('content-type', 'application/json')
        response.end(stringifyExact(generateContentConversion.encodeResponse(answer, about)))
        return
      }
      response.setHeader('content-type', 'text/event-stream')
      const encoder = generateContentConversion.createEncoder(about)
      const parts = spreadResponse(answer)
      for (const part of fails ? parts.slice(0, 4) : parts) response.write(encoder.push(part))
      if (fails) {
        response.write(
          encoder.push({ type: 'error', message: 'Overloaded.', status: 503, code: null }),
        )
      }
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

const client = () => {
  const { port } = server.address() as AddressInfo
  return new GoogleGenAI({
    apiKey: 'key',
    httpOptions: { baseUrl: `http://127.0.0.1:${port}`, retryOptions: { attempts: 1 } },
  })
}

const ask = {
  model: 'claude-for-gemini',
  contents: 'How is the weather?',
  config: {
    systemInstruction: 'Be brief.',
    temperature: 0.5,
    thinkingConfig: { includeThoughts: true },
    tools: [
      {
        functionDeclarations: [
          {
            name: 'weather',
            parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } } },
          },
        ],
      },
    ],
  },
}

const wanted = [
  { id: 'toolu_1', name: 'weather', args: { city: 'Zürich' } },
  { id: 'toolu_2', name: 'weather', args: {} },
]

test('Google’s SDK reads an answer', async () => {
  const response = await client().models.generateContent(ask)
  expect(response.text).toBe('One moment: the weather in Zürich and Łódź.')
  expect(response.functionCalls).toEqual(wanted)
  expect(response.candidates?.[0]?.finishReason).toBe('STOP')
  expect(response.modelVersion).toBe('asked-for')
  expect(response.usageMetadata).toMatchObject({
    promptTokenCount: 20,
    candidatesTokenCount: 8,
    thoughtsTokenCount: 4,
    totalTokenCount: 32,
  })
})

test('Google’s SDK reads a stream, and its chat gives everything back', async () => {
  bodies = []
  const chat = client().chats.create({ model: ask.model, config: ask.config })
  const parts: Part[] = []
  let usage: number | undefined
  for await (const chunk of await chat.sendMessageStream({ message: 'How is the weather?' })) {
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
    usage = chunk.usageMetadata?.totalTokenCount
  }
  const said = (isThought: boolean) =>
    parts.flatMap((part) => (!!part.thought === isThought ? [part.text ?? ''] : [])).join('')
  expect(said(true)).toBe('I look it up.')
  expect(said(false)).toBe('One moment: the weather in Zürich and Łódź.')
  expect(parts.flatMap((part) => part.functionCall ?? [])).toEqual(wanted)
  expect(usage).toBe(32)
  await chat.sendMessage({
    message: wanted.map(({ id, name }) => ({
      functionResponse: { id, name, response: { output: 'sunny' } },
    })),
  })
  const { turns } = decoded(bodies.at(-1) as Json)
  const history = turns.flatMap((turn) => turn.parts)
  expect(history.filter(({ type }) => type === 'call')).toMatchObject(
    wanted.map(({ id, name, args }) => ({ id, name, arguments: JSON.stringify(args) })),
  )
  expect(history.flatMap((part) => (part.type === 'result' ? [part.callId] : []))).toEqual([
    'toolu_1',
    'toolu_2',
  ])
  const thoughts = history.flatMap((part) =>
    part.type === 'reasoning' && part.state ? [part] : [],
  )
  expect(thoughts.map((part) => part.state)).toEqual([state])
})

test('Google’s SDK throws when a stream fails', async () => {
  fails = true
  const read = async () => {
    for await (const _ of await client().models.generateContentStream(ask)) {
      // Only the failure matters.
    }
  }
  await expect(read()).rejects.toThrow('Overloaded.')
  fails = false
})
