import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnswerTarget } from '../../../../main/convert/conversion.ts'
import type { ExchangeRequest, Turn, WireFormat } from '../../../../main/convert/exchange.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { modelRules } from '../../../../main/convert/model/model-rules.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import { runsOf } from '../../../support/every-case.ts'
import { unwrapRaw } from '../../../support/strict/answers/answer.ts'
import { answerChat } from '../../../support/strict/answers/answer-chat.ts'
import { answerGenerateContent } from '../../../support/strict/answers/answer-generate-content.ts'
import { answerMessages } from '../../../support/strict/answers/answer-messages.ts'
import { answerResponses } from '../../../support/strict/answers/answer-responses.ts'
import { IssuedStates } from '../../../support/strict/answers/issued-state.ts'
import { readAnswer } from '../../../support/strict/answers/read-answer.ts'
import { blocksOf } from '../../../support/strict/loops/small-bodies.ts'
import { conversions, eventsOf, objectsOf, pass } from '../../../support/strict/loops/through.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'

const formats = ['chat', 'messages', 'generate-content', 'responses'] as const
const models: Readonly<Record<WireFormat, string>> = {
  chat: 'gpt-5.4',
  messages: 'claude-opus-5-5',
  'generate-content': 'gemini-3.5-pro',
  responses: 'gpt-5.6-sol',
}
const answers = {
  chat: answerChat,
  messages: answerMessages,
  'generate-content': answerGenerateContent,
  responses: answerResponses,
}
const plain: Readonly<Record<WireFormat, Json>> = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  messages: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
  'generate-content': { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  responses: { model: 'm', input: 'Hi' },
}
const pairs = formats.flatMap((client) => formats.map((upstream) => ({ client, upstream })))

/** Objects of any JSON; keys and texts of any letters. */
const anyArguments = fc
  .dictionary(
    fc.string({ unit: 'binary', maxLength: 8 }).filter((key) => key !== '__proto__'),
    fc.jsonValue({ maxDepth: 3 }),
    { maxKeys: 4 },
  )
  .map((value) => JSON.parse(JSON.stringify(value)))
const someText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
const runs = runsOf(60, 30)

describe.each(pairs)('from $upstream to a $client client', ({ client, upstream }) => {
  test('text and arguments of any JSON survive, whole, streamed and both mixed', () => {
    fc.assert(
      fc.property(someText, fc.array(anyArguments, { maxLength: 3 }), (text, list) => {
        const usage = { input: 9, cachedInput: 0, cacheWrite: 0, output: 5, reasoning: 0 }
        const calls = list.map((one, index) => ({
          name: `tool_${index}`,
          arguments: JSON.stringify(one),
        }))
        const turn = { thinking: '', text, calls, usage }
        const { whole, chunks } = answers[upstream]({
          turn,
          body: { stream_options: { include_usage: true } },
          model: models[upstream],
          issued: new IssuedStates(),
          nonce: 'n1',
        })
        const answer = JSON.parse(unwrapRaw(JSON.stringify(whole)))
        const events = eventsOf(chunks.map(unwrapRaw).join(''))
        const passage = pass(client, upstream, plain[client], { model: models[upstream] })
        const expected = {
          text,
          calls: list.map((one, index) => ({ name: `tool_${index}`, arguments: one })),
        }
        expect(readAnswer(client, [passage.whole(answer)])).toEqual(expected)
        expect(readAnswer(client, [passage.collected(events)])).toEqual(expected)
        expect(readAnswer(client, objectsOf(passage.stream(events)))).toEqual(expected)
        expect(readAnswer(client, objectsOf(passage.spread(answer)))).toEqual(expected)
      }),
      runs,
    )
  })
})

describe('a conversation', () => {
  const turns = fc.array(
    fc.record({
      question: someText.filter((text) => text.trim() !== ''),
      said: someText.filter((text) => text.trim() !== ''),
      calls: fc.array(anyArguments, { maxLength: 3 }),
      results: fc.array(
        someText.filter((text) => text.trim() !== ''),
        { minLength: 3, maxLength: 3 },
      ),
    }),
    { minLength: 1, maxLength: 4 },
  )

  test.each(formats)('that %s can hold is the same after encoding and decoding', (format) => {
    fc.assert(
      fc.property(turns, (steps) => {
        const spoken: Turn[] = steps.flatMap(({ question, said, calls, results }, step): Turn[] => [
          { role: 'user', parts: [{ type: 'text', text: question }] },
          {
            role: 'assistant',
            parts: [
              { type: 'text', text: said },
              ...calls.map((args, index) => ({
                type: 'call' as const,
                id: `call_${step}_${index}`,
                name: `tool_${index}`,
                kind: 'function' as const,
                arguments: JSON.stringify(args),
              })),
            ],
          },
          ...(calls.length === 0
            ? []
            : [
                {
                  role: 'tool' as const,
                  parts: calls.map((_, index) => ({
                    type: 'result' as const,
                    callId: `call_${step}_${index}`,
                    name: `tool_${index}`,
                    kind: 'function' as const,
                    isError: false,
                    parts: [{ type: 'text' as const, text: results[index] ?? '' }],
                  })),
                },
              ]),
        ])
        const request: ExchangeRequest = {
          origin: format,
          model: 'm',
          stream: false,
          turns: [...spoken, { role: 'user', parts: [{ type: 'text', text: 'And now?' }] }],
          tools: [],
          maxOutput: 100,
        }
        const loss = new Loss()
        const rules = modelRules(format, models[format])
        const { encodeRequest, decodeRequest } = conversions[format]
        const body = encodeRequest(request, { model: 'm', rules, loss })
        expect(gist(decodeRequest(body, {}).turns)).toEqual(gist(request.turns))
      }),
      runs,
    )
  })

  /** Roles, texts, calls and results, neighbours of one role taken together. */
  function gist(list: readonly Turn[]): unknown[] {
    const seen: { role: string; parts: unknown[] }[] = []
    for (const { role, parts } of list) {
      const told = parts.map((part) => {
        if (part.type === 'text') return part.text
        if (part.type === 'call') return [part.name, JSON.parse(part.arguments)]
        if (part.type !== 'result') return part.type
        return part.parts.map((one) => (one.type === 'text' ? one.text : one.type))
      })
      const last = seen.at(-1)
      if (last?.role === role) last.parts.push(...told)
      else seen.push({ role, parts: told })
    }
    return seen
  }
})

describe('events', () => {
  const kinds = fc.constantFrom('text', 'reasoning', 'call')
  const plan = fc.array(fc.record({ kind: kinds, pieces: fc.array(someText, { maxLength: 3 }) }), {
    maxLength: 6,
  })

  /** Blocks that begin in order and go on at random beside each other. */
  function interleaved(
    blocks: readonly { kind: string; pieces: string[] }[],
    order: readonly number[],
  ): StreamPart[] {
    const lanes = blocks.map(({ kind, pieces }, block): StreamPart[] => {
      if (kind === 'call') {
        const name = `tool_${block}`
        const text = JSON.stringify({ pieces })
        return [
          { type: 'call-start', block, choice: 0, id: `call_${block}`, name, kind: 'function' },
          ...[...text].map((one): StreamPart => ({ type: 'call-delta', block, text: one })),
          { type: 'call-end', block },
        ]
      }
      if (kind === 'text') {
        return [
          { type: 'text-start', block, choice: 0 },
          ...pieces.map((text): StreamPart => ({ type: 'text-delta', block, text })),
          { type: 'text-end', block },
        ]
      }
      return [
        { type: 'reasoning-start', block, choice: 0, form: 'raw' },
        ...pieces.map((text): StreamPart => ({ type: 'reasoning-delta', block, section: 0, text })),
        { type: 'reasoning-end', block },
      ]
    })
    const mixed: StreamPart[] = []
    let opened = 0
    for (let step = 0; lanes.some((lane) => lane.length > 0); step++) {
      const wish = (order[step % Math.max(order.length, 1)] ?? 0) % lanes.length
      const lane = Math.min(wish, opened)
      const part = lanes[lane]?.shift() ?? lanes.find((one) => one.length > 0)?.shift()
      if (part === undefined) break
      if (part.type.endsWith('-start'))
        opened = Math.max(opened, (part as { block: number }).block + 1)
      mixed.push(part)
    }
    return mixed
  }

  const streamOf = (format: WireFormat, parts: readonly StreamPart[]): string => {
    const request = conversions[format].decodeRequest({ ...plain[format], stream: true }, {})
    const target: AnswerTarget = { id: 'call1', model: 'm', request, estimatedInput: 7, created: 1 }
    const encoder = conversions[format].createEncoder(target)
    const all: StreamPart[] = [
      { type: 'response-start', id: 'x', model: 'm', created: 1 },
      ...parts,
      { type: 'stop', choice: 0, stop: { reason: 'end' } },
      {
        type: 'usage',
        usage: { input: 9, cachedInput: 0, cacheWrite: 0, output: 5, reasoning: 0 },
      },
      { type: 'response-end' },
    ]
    return all.map((part) => encoder.push(part)).join('')
  }

  const anyOrder = fc.array(fc.nat(5), { minLength: 1, maxLength: 40 })

  test('of Anthropic are strictly nested, with indexes that rise by one', () => {
    fc.assert(
      fc.property(plan, anyOrder, (blocks, order) => {
        const events = objectsOf(streamOf('messages', interleaved(blocks, order)))
        const kept = blocksOf(events)
        expect(events[0]?.type).toBe('message_start')
        expect(events.at(-1)?.type).toBe('message_stop')
        const tools = kept.filter(({ type }) => type === 'tool_use')
        expect(tools.map(({ name, json }) => [name, JSON.parse(String(json) || '{}')])).toEqual(
          blocks.flatMap(({ kind, pieces }, index) =>
            kind === 'call' ? [[`tool_${index}`, { pieces }]] : [],
          ),
        )
        const text = (type: string, field: string) =>
          kept
            .filter((one) => one.type === type)
            .map((one) => one[field])
            .join('')
        const letters = (kind: string) =>
          [
            ...blocks
              .filter((one) => one.kind === kind)
              .flatMap(({ pieces }) => pieces)
              .join(''),
          ]
            .sort()
            .join('')
        expect([...text('text', 'text')].sort().join('')).toBe(letters('text'))
        expect([...text('thinking', 'thinking')].sort().join('')).toBe(letters('reasoning'))
      }),
      runsOf(150, 75),
    )
  })

  test('of Responses count from 0, and each item that is added is done once with all it held', () => {
    fc.assert(
      fc.property(plan, anyOrder, (blocks, order) => {
        const events = objectsOf(streamOf('responses', interleaved(blocks, order)))
        expect(events.map((event) => event.sequence_number)).toEqual(
          events.map((_, index) => index),
        )
        const added = events.filter(({ type }) => type === 'response.output_item.added')
        const done = events.filter(({ type }) => type === 'response.output_item.done')
        const byIndex = (one: Json, other: Json) =>
          Number(one.output_index) - Number(other.output_index)
        expect(added.map((event) => event.output_index)).toEqual(added.map((_, index) => index))
        expect(done.sort(byIndex).map(({ item }) => (item as Json).id)).toEqual(
          added.map(({ item }) => (item as Json).id),
        )
        const last = events.at(-1) as { type: string; response: { output: unknown[] } }
        expect(last.type).toBe('response.completed')
        expect(last.response.output).toEqual(done.map(({ item }) => item))
      }),
      runsOf(150, 75),
    )
  })
})
