import { expect } from 'vitest'
import type { Usage, WireFormat } from '../../../../main/convert/exchange.ts'
import { startTestGateway, type TestGateway } from '../../gateway/start-test-gateway.ts'
import { readImages, readResults } from '../answers/read-results.ts'
import type { Json } from '../requests/refusal.ts'
import { PNG } from '../requests/refused-by.ts'
import { BIG, loopTurns } from './loop-script.ts'
import { type StrictUpstream, startStrictUpstream } from './strict-upstream.ts'

export const formats = ['chat', 'messages', 'generate-content', 'responses'] as const

/** The models of each strict upstream, the one of the loop first. */
export const modelsOf: Readonly<Record<WireFormat, readonly [string, ...string[]]>> = {
  chat: ['deepseek-v4', 'gpt-5.4', 'gpt-4o', 'qwen3-max'],
  messages: ['claude-opus-5-5', 'claude-opus-4-8', 'claude-sonnet-4-5'],
  'generate-content': ['gemini-3.5-pro', 'gemini-2.5-flash'],
  responses: ['gpt-5.6-sol'],
}

const channelOf: Readonly<Record<WireFormat, { type: number; endpoint: string }>> = {
  chat: { type: 1, endpoint: 'openai' },
  responses: { type: 1, endpoint: 'openai-response' },
  messages: { type: 14, endpoint: 'anthropic' },
  'generate-content': { type: 24, endpoint: 'gemini' },
}

/** A gateway before four strict upstreams, one a format. */
export interface Stage {
  gateway: TestGateway
  upstreams: Readonly<Record<WireFormat, StrictUpstream>>
  close(): Promise<void>
}

export async function startStage(): Promise<Stage> {
  const gateway = await startTestGateway()
  const upstreams: Record<string, StrictUpstream> = {}
  for (const format of formats) {
    const upstream = await startStrictUpstream(format)
    upstreams[format] = upstream
    const { type, endpoint } = channelOf[format]
    gateway.addChannel({
      type,
      name: `strict ${format}`,
      baseUrl: upstream.url,
      models: [...modelsOf[format]],
      settings: { endpoint_types: [endpoint] },
    })
  }
  return {
    gateway,
    upstreams: upstreams as Stage['upstreams'],
    async close() {
      await Promise.all([gateway.close(), ...Object.values(upstreams).map((one) => one.close())])
    },
  }
}

/** One answer of the loop as a client's SDK read it. */
export interface SeenTurn {
  thinking: string
  text: string
  calls: { name: string; arguments: unknown }[]
  /** In the client format's own word. */
  stop: unknown
  usage: Usage
}

export const systemText = 'You are careful. Größe zählt.'
export const question = 'List the files and write a note.'
export const listing = 'größe.txt\nb.txt'
export const failure = 'disk full'
export const content = 'the content'

/** The schema of `write_note`: words that Google's own schema does not know, and names that look like words. */
export const noteSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    id: { type: 'integer', exclusiveMinimum: 0 },
    title: { type: 'string', minLength: 1 },
    format: { type: ['string', 'null'], default: null },
    nested: { type: 'object', additionalProperties: {} },
    path: { $ref: '#/$defs/path' },
  },
  required: ['id'],
  additionalProperties: false,
  $defs: { path: { type: 'string', const: 'a' } },
}

export const fileSchema = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
}

/** The client saw what the vendor said, answer for answer. */
export function expectLoop(
  seen: readonly SeenTurn[],
  stops: readonly [unknown, unknown, unknown],
  client: WireFormat,
  upstream: StrictUpstream,
): void {
  const hasWrites = client !== 'generate-content' && upstream.format !== 'generate-content'
  expect(upstream.refusals).toEqual([])
  expect(upstream.issued.dropped).toEqual([])
  expect(seen).toHaveLength(3)
  for (const [index, turn] of loopTurns.entries()) {
    const one = seen[index]
    expect(one?.text, `text of answer ${index + 1}`).toBe(turn.text)
    expect(one?.calls, `calls of answer ${index + 1}`).toEqual(
      turn.calls.map((call) => ({
        name: call.name,
        arguments: JSON.parse(call.arguments || '{}'),
      })),
    )
    expect(one?.stop, `stop of answer ${index + 1}`).toBe(stops[index])
    expect(one?.usage, `usage of answer ${index + 1}`).toEqual({
      ...turn.usage,
      cacheWrite: hasWrites ? turn.usage.cacheWrite : 0,
    })
  }
}

/** The upstream got the tools' results as the client sent them. */
export function expectResults(client: WireFormat, upstream: StrictUpstream, model: string): void {
  const requests = upstream.requests.slice(-2)
  for (const request of requests) {
    const body = request.json() as Json
    const results = readResults(upstream.format, body)
    expect(request.body.toString()).toContain('Größe zählt.')
    expect(results[0]?.text).toContain('b.txt')
    expect(results[1]?.text).toContain(failure)
    expect(readImages(body)).toContain(PNG)
    // Gemini 2 has no media in its function responses: they stand next to them.
    const isOld = model.startsWith('gemini-2')
    const holdsImages = client !== 'chat' && upstream.format !== 'chat' && !isOld
    if (holdsImages) expect(results[0]?.images).toEqual([PNG])
    const knowsErrors = (one: WireFormat) => one === 'messages' || one === 'generate-content'
    const isErrorTold = knowsErrors(client) && knowsErrors(upstream.format)
    expect(results.map(({ isError }) => isError)[1]).toBe(isErrorTold)
    // Clients that read arguments as JSON have rounded the number themselves.
    if (client === 'chat' || client === 'responses') expect(request.body.includes(BIG)).toBe(true)
  }
  expect(readResults(upstream.format, requests[1]?.json() as Json)).toHaveLength(3)
}

/** A fetch that keeps the text of each answer, so that what an SDK's parser rounds can still be seen. */
export function keepingFetch(): { fetch: typeof fetch; texts: string[] } {
  const texts: string[] = []
  return {
    texts,
    async fetch(input, init) {
      const answer = await fetch(input, init)
      const [mine, theirs] = answer.body?.tee() ?? [null, null]
      const index = texts.push('') - 1
      void new Response(mine).text().then((text) => {
        texts[index] = text
      })
      return new Response(theirs, answer)
    },
  }
}
