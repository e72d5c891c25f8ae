import { expect } from 'vitest'
import type { AnswerTarget, RequestTarget } from '../../../../main/convert/conversion.ts'
import type { ExchangeRequest } from '../../../../main/convert/exchange.ts'
import type { ExchangeResponse } from '../../../../main/convert/exchange-response.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { messagesConversion } from '../../../../main/convert/messages/conversion.ts'
import { modelRules } from '../../../../main/convert/model/model-rules.ts'
import { collectStream } from '../../../../main/convert/stream/collect-stream.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import { EventSplitter } from '../../../support/clients/split-events.ts'
import { readFixture } from '../../../support/recordings/fixtures.ts'

export type Fields = Record<string, unknown>

/** A client's request in another format, which asks for little. */
export const chatRequest = (fields: Partial<ExchangeRequest> = {}): ExchangeRequest => ({
  origin: 'chat',
  model: 'asked-for',
  stream: false,
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hello', at: 'messages[0].content' }] }],
  tools: [],
  ...fields,
})

/** Names of fields as a Chat client spells them. */
const chatNames = {
  turns: 'messages',
  toolChoice: 'tool_choice',
  reasoning: 'reasoning_effort',
  output: 'response_format',
  maxOutput: 'max_completion_tokens',
  topP: 'top_p',
  count: 'n',
  serviceTier: 'service_tier',
} as const

export const targetOf = (model: string): RequestTarget => ({
  model,
  rules: modelRules('messages', model),
  loss: new Loss(chatNames),
})

export interface Encoded {
  body: Fields
  /** `dropped seed`, `approximated messages[2]`. */
  losses: string[]
}

/** The upstream's body for a Claude model, and what was lost. */
export function encodeFor(model: string, request: ExchangeRequest): Encoded {
  const target = targetOf(model)
  const body = messagesConversion.encodeRequest(request, target)
  return { body, losses: target.loss.entries.map(({ kind, path }) => `${kind} ${path}`) }
}

export const answerTarget = (fields: Partial<AnswerTarget> = {}): AnswerTarget => ({
  id: '20261121101534a1b2c3d4e5f6',
  model: 'asked-for',
  request: chatRequest(),
  estimatedInput: 321,
  created: 1_795_000_000,
  ...fields,
})

/** The parts of a stream whose bytes come in these pieces. */
export function decodePieces(pieces: readonly Buffer[]): StreamPart[] {
  const events = new EventSplitter()
  const decoder = messagesConversion.createDecoder()
  const push = (event: { event: string | null; data: string }) => decoder.push(event)
  return [
    ...pieces.flatMap((piece) => events.push(piece)).flatMap(push),
    ...events.end().flatMap(push),
    ...decoder.end(),
  ]
}

/** The parts of events given as their data; each is named by its type. */
export const decodeEvents = (...events: readonly Fields[]): StreamPart[] =>
  decodePieces(
    events.map((event) => Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)),
  )

export function encodeParts(parts: readonly StreamPart[], target = answerTarget()): string {
  const encoder = messagesConversion.createEncoder(target)
  return parts.map((part) => encoder.push(part)).join('')
}

/** The events of a stream's text; each has its name. */
export function eventsOf(text: string): Fields[] {
  const events = new EventSplitter()
  return [...events.push(Buffer.from(text)), ...events.end()].map(({ event, data }) => {
    const body = JSON.parse(data) as Fields
    if (body.type !== event) throw new Error(`event ${event} holds ${body.type}`)
    return body
  })
}

export function collected(parts: readonly StreamPart[]): ExchangeResponse {
  const collector = collectStream()
  for (const part of parts) collector.push(part)
  return collector.response()
}

export const readJson = (name: string): Fields =>
  JSON.parse(readFixture(`anthropic-messages/${name}`).toString()) as Fields

/** A stream's blocks with their deltas joined, as a client puts them together. */
export function blocksOf(events: readonly Fields[]): Fields[] {
  const blocks: Fields[] = []
  let isOpen = false
  for (const event of events) {
    if (event.type === 'content_block_start') {
      expect(isOpen).toBe(false)
      expect(event.index).toBe(blocks.length)
      blocks.push({ ...(event.content_block as Fields), json: '' })
      isOpen = true
    } else if (event.type === 'content_block_delta' || event.type === 'content_block_stop') {
      expect(isOpen).toBe(true)
      expect(event.index).toBe(blocks.length - 1)
      if (event.type === 'content_block_stop') isOpen = false
      const { type: _, partial_json, citation, ...fields } = (event.delta ?? {}) as Fields
      const block = blocks.at(-1) as Fields
      if (partial_json !== undefined) block.json = String(block.json) + String(partial_json)
      if (citation) block.citations = [...((block.citations as unknown[] | null) ?? []), citation]
      for (const [name, value] of Object.entries(fields)) {
        block[name] = String(block[name] ?? '') + String(value)
      }
    }
  }
  expect(isOpen).toBe(false)
  return blocks
}
