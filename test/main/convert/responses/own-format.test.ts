import { describe, expect, test } from 'vitest'
import type { AnswerTarget } from '../../../../main/convert/conversion.ts'
import type { ExchangeRequest } from '../../../../main/convert/exchange.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { modelRules } from '../../../../main/convert/model/model-rules.ts'
import { responsesConversion } from '../../../../main/convert/responses/conversion.ts'
import { collectStream } from '../../../../main/convert/stream/collect-stream.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import { cutAtRandom } from '../../../support/clients/cut-at-random.ts'
import { readFixture } from '../../../support/recordings/fixtures.ts'
import {
  failedResponse,
  objectsIn,
  readEvents,
  recordedResponses,
} from '../../../support/recordings/recorded-responses.ts'

type Json = Record<string, unknown>

const request: ExchangeRequest = {
  origin: 'responses',
  model: 'm',
  stream: true,
  turns: [],
  tools: [],
}

function targetOf(response: Json): AnswerTarget {
  return {
    id: String(response.id).replace(/^resp_/, ''),
    model: String(response.model),
    request,
    estimatedInput: 9,
    created: 1,
  }
}

function decode(pieces: readonly Buffer[]): StreamPart[] {
  const decoder = responsesConversion.createDecoder()
  const parts = readEvents(pieces).flatMap((event) => decoder.push(event))
  return [...parts, ...decoder.end()]
}

function encode(parts: readonly StreamPart[], target: AnswerTarget): Json[] {
  const encoder = responsesConversion.createEncoder(target)
  return objectsIn(parts.map((part) => encoder.push(part)).join(''))
}

/** Fields that say nothing: padding, and those that older recordings lack or newer ones add empty. */
const silent = new Set(['obfuscation', 'sequence_number', 'logprobs', 'completed_at'])

function told(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(told)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => !silent.has(name))
  return Object.fromEntries(entries.map(([name, inner]) => [name, told(inner)]))
}

/** The vendor encrypts a thought anew each time that it sends it. */
const sealed = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value).replace(/"encrypted_content":"[^"]*"/g, '"encrypted_content":""'),
  )

/** Progress of hosted tools: the whole item repeats it, and one recording leaves out an event. */
const isProgress = ({ type }: Json) =>
  type === 'response.custom_tool_call_input.done' ||
  /_call(?:_operation_diff)?\.(?:delta|done|in_progress|generating|completed|partial_image)$/.test(
    String(type),
  )

const responseOf = (events: readonly Json[], at: number) => events.at(at)?.response as Json

describe.each(recordedResponses)('$name, read and written again', ({ objects, bytes }) => {
  const last = responseOf(objects, -1)
  const target = targetOf(last)
  const parts = decode([bytes])

  test('gives the same events in the same order', () => {
    const events = encode(parts, target)
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at))
    const written = events.filter((event) => !isProgress(event))
    const recorded = objects.filter((event) => !isProgress(event))
    expect(written.map(({ type }) => type)).toEqual(recorded.map(({ type }) => type))
    written.forEach((event, index) => {
      if (recorded[index]?.type === 'response.output_item.added') return
      expect(sealed(told(event))).toMatchObject(sealed(told(recorded[index])) as Json)
    })
  })

  test('ends with the same answer', () => {
    const { usage, ...rest } = sealed(told(responseOf(encode(parts, target), -1))) as Json
    const { usage: recorded, ...expected } = sealed(told(last)) as Json
    expect(rest).toMatchObject(expected)
    expect(usage).toMatchObject(recorded as Json)
    expect(rest.output).toEqual(expected.output)
  })

  test('is the same when it is collected and written whole', () => {
    const collected = collectStream()
    for (const part of parts) collected.push(part)
    const whole = responsesConversion.encodeResponse(collected.response(), target)
    expect(told(whole)).toEqual(told(responseOf(encode(parts, target), -1)))
  })

  test('is the same when it comes whole', () => {
    const decoded = responsesConversion.decodeResponse(last)
    const whole = told(responsesConversion.encodeResponse(decoded, target)) as Json
    expect(whole).toMatchObject({ ...(told(last) as Json), usage: {} })
    expect(whole.output).toEqual((told(last) as Json).output)
  })

  test.each([1, 2, 3])('is read the same however it is cut (%i)', (seed) => {
    expect(decode(cutAtRandom(bytes, seed))).toEqual(parts)
    expect(decode(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(parts)
  })

  test('has one start and one end for each block, numbered in order', () => {
    const starts = parts.filter(({ type }) => type.endsWith('-start') && type !== 'response-start')
    const wholes = parts.filter(({ type }) => type === 'whole')
    const ends = parts.filter(({ type }) => /^(?!response).*-end$/.test(type))
    const blocks = parts.flatMap((part) =>
      'choice' in part && 'block' in part ? [part.block] : [],
    )
    expect(blocks).toEqual(blocks.map((_, index) => index))
    expect(ends).toHaveLength(starts.length)
    expect(blocks).toHaveLength(starts.length + wholes.length)
    expect(parts.at(-1)).toEqual({ type: 'response-end' })
  })

  test('is not whole without its terminal event', () => {
    const end = bytes.lastIndexOf('event: response.completed')
    const cut = decode([bytes.subarray(0, end)])
    expect(cut.some(({ type }) => type === 'response-end')).toBe(false)
  })
})

describe('an answer that failed', () => {
  test('is an error and nothing more', () => {
    const parts = decode([failedResponse.bytes])
    expect(parts.map(({ type }) => type)).toEqual(['response-start', 'error'])
    expect(parts.at(-1)).toMatchObject({ code: 'insufficient_quota', status: 429 })
    const target = targetOf(responseOf(failedResponse.objects, 0))
    const events = encode(parts, target)
    expect(events.map(({ type }) => type)).toEqual(failedResponse.objects.map(({ type }) => type))
    expect(events.at(-1)).toMatchObject({
      sequence_number: 3,
      response: { status: 'failed', error: { code: 'insufficient_quota' }, output: [] },
    })
  })
})

test('messages of different phases stay apart', () => {
  const answer = JSON.parse(String(readFixture('openai-responses/phase.json'))) as Json
  const decoded = responsesConversion.decodeResponse(answer)
  const written = responsesConversion.encodeResponse(decoded, targetOf(answer))
  expect(written).toMatchObject({ ...answer, usage: {} })
  expect(written.output).toEqual(answer.output)
})

/** A request with its short spellings written out: content as parts, types and empty fields. */
function spelled(body: Json): Json {
  const input =
    typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input
  const { instructions, ...rest } = body
  return {
    ...rest,
    ...(instructions ? { instructions } : {}),
    input: (input as Json[]).map((item) => {
      const type = item.role === 'assistant' ? 'output_text' : 'input_text'
      if (item.type !== undefined || typeof item.content !== 'string') return item
      const more = type === 'output_text' ? { annotations: [] } : {}
      return { type: 'message', role: item.role, content: [{ type, text: item.content, ...more }] }
    }),
  }
}

function again(body: Json, model = String(body.model)): Json {
  const loss = new Loss(responsesConversion.fieldNames)
  const decoded = responsesConversion.decodeRequest(body, {})
  const rules = modelRules('responses', model)
  const written = responsesConversion.encodeRequest(decoded, { model, rules, loss })
  expect(loss.entries).toEqual([])
  return written
}

describe('a request, read and written again', () => {
  test.each([
    'text-and-tool-stream-turn1',
    'text-and-tool-stream-turn2',
    'error-missing-reasoning-item',
  ])('%s loses nothing', (name) => {
    const body = JSON.parse(String(readFixture(`openai-responses/${name}.request.json`))) as Json
    expect(again(body)).toEqual(spelled(body))
  })
})
