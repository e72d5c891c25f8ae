import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import { recordedStreams } from '../../../support/recordings/fixtures.ts'
import {
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'
import { collected, decodePieces, encodeParts } from './exchange-parts.ts'

let gateway: ScriptedUpstream
let client: Anthropic

beforeAll(async () => {
  gateway = await startUpstream()
  client = new Anthropic({ apiKey: 'k', baseURL: gateway.url, maxRetries: 0 })
})
afterAll(() => gateway.close())

/** The message that the official SDK makes of a stream, sent in small pieces over HTTP. */
async function messageOf(parts: readonly StreamPart[]): Promise<Anthropic.Message> {
  gateway.script({
    chunks: [encodeParts(parts)],
    cutSeed: 7,
    headers: { 'content-type': 'text/event-stream' },
  })
  return client.messages
    .stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] })
    .finalMessage()
}

const streams = recordedStreams.filter(({ format }) => format === 'messages')

test.each(streams)('the SDK reads $name as the vendor meant it', async ({ bytes }) => {
  const parts = decodePieces([bytes])
  const { choices, usage } = collected(parts)
  const message = await messageOf(parts)
  const textOf = (found: readonly { type: string; text?: string }[]) =>
    found.flatMap(({ type, text }) => (type === 'text' ? [text] : []))
  expect(textOf(message.content)).toEqual(textOf((choices[0]?.parts ?? []) as { type: string }[]))
  expect(message.content).toHaveLength(choices[0]?.parts.length ?? -1)
  expect(message.usage.output_tokens).toBe(usage?.output)
  expect(message.stop_reason).not.toBeNull()
})

test('the SDK reads calls of another vendor: none without input, none in another’s place', async () => {
  const call = (block: number, name: string): StreamPart => ({
    type: 'call-start',
    block,
    choice: 0,
    id: null,
    name,
    kind: 'function',
  })
  const message = await messageOf([
    { type: 'response-start', id: '', model: 'gpt', created: null },
    { type: 'text-start', block: 0, choice: 0 },
    { type: 'text-delta', block: 0, text: 'I look.' },
    call(1, 'now'),
    call(2, 'read'),
    { type: 'call-delta', block: 2, text: '{"path":' },
    { type: 'call-end', block: 1 },
    { type: 'call-delta', block: 2, text: '"a"}' },
    { type: 'call-end', block: 2 },
    { type: 'text-end', block: 0 },
    { type: 'stop', choice: 0, stop: { reason: 'end' } },
    { type: 'response-end' },
  ])
  expect(message.stop_reason).toBe('tool_use')
  expect(message.content).toMatchObject([
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', name: 'now', input: {} },
    { type: 'tool_use', name: 'read', input: { path: 'a' } },
  ])
  expect(new Set(message.content.map((block) => 'id' in block && block.id)).size).toBe(3)
})

test('the SDK throws on an error in the stream', async () => {
  const parts: StreamPart[] = [
    { type: 'response-start', id: '', model: 'gpt', created: null },
    { type: 'error', message: 'Overloaded', status: 529, code: null },
  ]
  await expect(messageOf(parts)).rejects.toThrow('Overloaded')
})
