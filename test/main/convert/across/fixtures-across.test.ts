import { describe, expect, test } from 'vitest'
import { codecOf, conversionOf } from '../../../../main/convert/codecs.ts'
import { readVendorError } from '../../../../main/convert/errors/vendor-error.ts'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { failureOfRefusal } from '../../../../main/relay/failure/failure-of-refusal.ts'
import { reportAsError } from '../../../../main/relay/failure/report-failure.ts'
import type { Channel } from '../../../../main/store/records/channels.ts'
import { EventStream } from '../../../../main/upstream/event-stream.ts'
import { sampleOf } from '../../../support/every-case.ts'
import { readWireAnswer, type WireAnswer } from '../../../support/recordings/read-wire-answer.ts'
import {
  recordedAnswerStreams,
  recordedAnswers,
  recordedCounts,
  recordedErrors,
  recordedFiles,
  recordedRequests,
} from '../../../support/recordings/recorded-exchanges.ts'
import { failedResponse } from '../../../support/recordings/recorded-responses.ts'
import { contentOf } from '../../../support/recordings/request-content.ts'
import { StreamPassage, smallCall } from '../../../support/stages/converting-through.ts'
import { formats, modelsOf } from '../../../support/strict/loops/stage.ts'
import { eventsOf, objectsOf, pass } from '../../../support/strict/loops/through.ts'
import { checkRequest } from '../../../support/strict/requests/check-request.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'
import { refusedBy } from '../../../support/strict/requests/refused-by.ts'

const othersOf = (format: WireFormat) => formats.filter((one) => one !== format)

/** Each of them with each of the three other formats. */
const across = <Recorded extends { format: WireFormat }>(recorded: readonly Recorded[]) =>
  recorded.flatMap((one) => othersOf(one.format).map((to) => ({ ...one, to })))

describe('a recorded request', () => {
  const cases = across(recordedRequests).flatMap((one) =>
    modelsOf[one.to].map((model) => ({ ...one, model })),
  )

  test('is there for every format', () => {
    const seen = new Set(recordedRequests.map(({ format }) => format))
    expect([...seen].sort()).toEqual([...formats].sort())
  })

  // None of them asks for anything that part 8 refuses: what is refused has tests of its own
  // (test/end-to-end/convert/refusals.test.ts).
  test.each(cases)('$name is taken by $to ($model), which reads the same', (one) => {
    const passage = pass(one.format, one.to, one.body, { model: one.model })
    const conversion = conversionOf(one.to)
    expect(refusedBy(() => checkRequest(one.to, passage.body, one))).toBeNull()
    const before = contentOf(passage.request)
    const after = contentOf(conversion.decodeRequest(passage.body, {}))
    const { texts, hasSchema, ...rest } = before
    expect(after).toMatchObject(rest)
    const told = after.texts.join('\n')
    for (const text of texts) expect(told).toContain(text)
    // A model that knows no schemas is told of it in a tool or in words.
    if (hasSchema) expect(JSON.stringify(passage.body)).toContain('country')
  })
})

/** The rows of wire-formats 8.6 that vendors were recorded with, each in every format's word. */
const stops: readonly Readonly<Record<WireFormat, string>>[] = [
  {
    chat: 'stop',
    messages: 'end_turn',
    'generate-content': 'STOP',
    responses: 'completed',
  },
  {
    chat: 'length',
    messages: 'max_tokens',
    'generate-content': 'MAX_TOKENS',
    responses: 'incomplete max_output_tokens',
  },
  {
    chat: 'content_filter',
    messages: 'refusal',
    'generate-content': 'SAFETY',
    responses: 'incomplete content_filter',
  },
  // Last, so that a word that stands for two rows is found in the first.
  {
    chat: 'tool_calls',
    messages: 'tool_use',
    'generate-content': 'STOP',
    responses: 'completed',
  },
]

function stopIn({ stop, calls }: WireAnswer, from: WireFormat, to: WireFormat): string | undefined {
  const row = stops.find((one) => one[from] === stop)
  // Any call decides, whatever the word was.
  return calls.length > 0 && row === stops[0] ? stops.at(-1)?.[to] : row?.[to]
}

const patch = {
  name: 'apply_patch',
  arguments: {
    type: 'create_file',
    diff: '+## Shopping Checklist\n+\n+- [ ] Milk\n+- [ ] Bread\n+- [ ] Eggs\n+- [ ] Fresh fruit\n+- [ ] Coffee\n',
    path: 'shopping-checklist.md',
  },
}
const weatherIn = (location: string) => ({ name: 'getWeather', arguments: { location } })
const explanation =
  "This request triggered restrictions on violative cyber content and was blocked under Anthropic's Usage Policy."

/** Differences for vendors' specialities (wire-formats part 8), by file; all else is heard as the vendor said it. */
const specialities: Readonly<
  Record<string, (heard: WireAnswer, to: WireFormat) => Partial<WireAnswer>>
> = {
  // Google's `partialArgs`, put together.
  'gemini/partial-args-stream.chunks.txt': () => ({
    calls: [weatherIn('Boston'), weatherIn('San Francisco')],
  }),
  // A typed tool that the client runs goes as a function.
  'openai-responses/apply-patch-stream.chunks.txt 1': () => ({ calls: [patch] }),
  'openai-responses/image-generation-stream.chunks.txt 1': (_, to) =>
    to === 'messages'
      ? {
          text: expect.stringMatching(
            /^\[.* cannot carry: image, image\/webp, \d+ KiB\]$/,
          ) as string,
        }
      : {},
  // Chat has one text: two messages are parted in it by an empty line.
  'openai-responses/phase.json': ({ text }, to) =>
    to === 'chat' ? { text: text.replace('links.Here', 'links.\n\nHere') } : {},
  // Why it was refused, in the formats whose own refusals have words.
  'anthropic-messages/refusal.json': (_, to) =>
    to === 'chat' || to === 'responses' ? { text: explanation } : {},
  'anthropic-messages/refusal-stream.chunks.txt': (_, to) =>
    to === 'chat' || to === 'responses' ? { text: explanation } : {},
}

/** For the one stream without usage: the gateway's own count, and a short text and call. */
const estimated = {
  input: 77,
  cachedInput: 0,
  cacheWrite: 0,
  output: expect.closeTo(10, -1) as number,
  reasoning: 0,
}

/** The answer that a client of another format must hear. */
function expectedIn(heard: WireAnswer, name: string, from: WireFormat, to: WireFormat) {
  const special = specialities[name]?.(heard, to) ?? {}
  const answer = { ...heard, ...special }
  const isFree = to === 'messages' || to === 'generate-content'
  const calls = answer.calls.map((call) =>
    // The text of a freeform tool is the one argument of a function.
    isFree && typeof call.arguments === 'string'
      ? { ...call, arguments: { input: call.arguments } }
      : call,
  )
  const { usage } = answer
  const told = usage && to === 'generate-content' ? { ...usage, cacheWrite: 0 } : usage
  return {
    ...answer,
    calls,
    stop: stopIn(answer, from, to),
    // Where the vendor is silent, the client that needs a figure gets an estimate.
    usage: told ?? estimated,
  }
}

/** The same answer, read by the format's own decoder. */
function readBack(format: WireFormat, body: Json) {
  const { choices, usage } = conversionOf(format).decodeResponse(body)
  const parts = choices[0]?.parts ?? []
  return {
    text: parts
      .map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : ''))
      .join(''),
    names: parts.flatMap((part) => (part.type === 'call' ? [part.name] : [])),
    input: usage?.input,
    output: usage?.output,
    reasoning: usage?.reasoning,
  }
}

const readByDecoder = ({ text, calls, usage }: WireAnswer) => ({
  text,
  names: calls.map(({ name }) => name),
  input: usage?.input,
  output: usage?.output,
  reasoning: usage?.reasoning,
})

describe('a recorded answer', () => {
  test.each(across(recordedAnswers))('$name says the same in $to', ({ name, format, body, to }) => {
    const passage = smallCall(to, format)
    const expected = expectedIn(readWireAnswer(format, [body]), name, format, to)
    const whole = passage.whole(body)
    expect(readWireAnswer(to, [whole])).toEqual(expected)
    expect(readBack(to, whole)).toEqual(readByDecoder(readWireAnswer(to, [whole])))
    // And for a client that wants a stream of an upstream that has none.
    expect(readWireAnswer(to, objectsOf(passage.spread(body)))).toEqual(expected)
  })
})

describe('a recorded stream', () => {
  test.each(across(recordedAnswerStreams))('$name says the same in $to', (one) => {
    const { name, format, bytes, to } = one
    const expected = expectedIn(readWireAnswer(format, objectsOf(String(bytes))), name, format, to)
    const text = new StreamPassage(to, format).text([bytes])
    expect(readWireAnswer(to, objectsOf(text))).toEqual(expected)
    // The client's own format, read as an upstream's and told whole.
    const again = smallCall(to, to).collected(eventsOf(text))
    expect(readWireAnswer(to, [again])).toEqual(expected)
    expect(readBack(to, again)).toEqual(readByDecoder(readWireAnswer(to, [again])))
    // And for a client that wants no stream of an upstream that has nothing else.
    const collected = smallCall(to, format).collected(eventsOf(String(bytes)))
    expect(readWireAnswer(to, [collected])).toEqual(expected)
  })
})

/** The same bytes in pieces of one length, the first being shorter. */
function* piecesOf(bytes: Buffer, length: number, first: number): Generator<Buffer> {
  if (first > 0) yield bytes.subarray(0, first)
  for (let at = first; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

describe('a recorded stream that is cut anywhere', () => {
  const streams = recordedAnswerStreams.concat({ ...failedResponse, format: 'responses' })
  const MOST_CUT = 20 * 1024
  const STRIDE = 64

  // A conversion depends on the events alone, and these are cheap to compare.
  test.each(streams.filter(({ bytes }) => bytes.length <= MOST_CUT))(
    '$name, cut in two, holds the same events',
    ({ bytes }) => {
      const eventsIn = (pieces: Iterable<Buffer>) => {
        const stream = new EventStream()
        let text = ''
        for (const piece of pieces) for (const event of stream.push(piece)) text += tell(event)
        for (const event of stream.end()) text += tell(event)
        return text
      }
      const tell = ({ event, data }: { event: string | null; data: string }) =>
        `${event}\0${data}\0`
      const whole = eventsIn([bytes])
      const differing: number[] = []
      const places = Array.from({ length: bytes.length - 1 }, (_, before) => before + 1)
      for (const at of sampleOf(places, 7)) {
        const text = eventsIn([bytes.subarray(0, at), bytes.subarray(at)])
        if (text !== whole) differing.push(at)
      }
      expect(differing).toEqual([])
    },
  )

  test.each(across(streams))('$name becomes the same bytes of $to', ({ bytes, format, to }) => {
    const passage = new StreamPassage(to, format)
    const whole = passage.text([bytes])
    expect(whole).not.toBe('')
    expect(passage.text(piecesOf(bytes, 1, 0))).toBe(whole)
    // Over all these runs each place is a cut, in the sample one in nine.
    const differing: number[] = []
    const firsts = Array.from({ length: STRIDE }, (_, first) => first)
    for (const first of sampleOf(firsts, 9, bytes.length))
      if (passage.text(piecesOf(bytes, STRIDE, first)) !== whole) differing.push(first)
    expect(differing).toEqual([])
  })
})

describe('a recorded error', () => {
  const statuses: Readonly<Record<string, number>> = {
    'errors/anthropic-400-effort.json': 400,
    'errors/anthropic-404-model.json': 404,
    'errors/gemini-404-model.json': 404,
    'errors/openai-404-model.json': 404,
    'gemini/error-429-retry-info.json': 429,
    'openai-chat/legacy-max-tokens-error.json': 400,
    'openai-responses/error-missing-reasoning-item.response.json': 400,
    'openai-responses/error-quota.json': 429,
  }
  const channel = { name: 'a channel', statusCodeMapping: {} } as Channel

  test.each(across(recordedErrors))('$name keeps its words in $to', ({ name, body, to }) => {
    const status = statuses[name]
    expect(status).toBeDefined()
    const answer = { headers: {}, body: Buffer.from(JSON.stringify(body)), url: '' }
    const failure = failureOfRefusal({ status: status ?? 0, ...answer })
    const error = reportAsError({ failure, channel, isForeign: true }, to)
    expect(error.status).toBe(status)
    if (name.includes('retry-info')) expect(error.retryAfter).toBe(34.4)
    const message = readVendorError(body)?.message
    expect(message).toBe((body.error as Json).message)
    expect(codecOf(to).encodeError(error, 'call1234567890')).toMatchObject(
      errorIn(to, status ?? 0, String(message)),
    )
  })

  const types: Readonly<Record<number, string>> = {
    400: 'invalid_request_error',
    404: 'not_found_error',
    429: 'rate_limit_error',
  }
  const words: Readonly<Record<number, string>> = {
    400: 'INVALID_ARGUMENT',
    404: 'NOT_FOUND',
    429: 'RESOURCE_EXHAUSTED',
  }

  /** Wire-formats 1.6. */
  function errorIn(format: WireFormat, status: number, message: string): Json {
    const any = expect.anything() as unknown
    if (format === 'messages') {
      return { type: 'error', error: { type: types[status], message }, request_id: any }
    }
    if (format === 'generate-content') {
      return { error: { code: status, message, status: words[status] } }
    }
    // The gateway's own id stands behind the words.
    return { error: { message: expect.stringContaining(message) as unknown, type: any } }
  }

  test.each(othersOf('responses'))('in the middle of a stream ends one of %s', (to) => {
    const scanner = new StreamPassage(to, 'responses').createScanner()
    const text = scanner.push(failedResponse.bytes).toString() + scanner.flush().toString()
    const last = objectsOf(text).at(-1)
    const message = readVendorError(failedResponse.objects.at(-2))?.message ?? ''
    expect(message).toContain('exceeded your current quota')
    expect(last).toMatchObject(errorIn(to, 429, message))
    expect(scanner.isTerminated).toBe(false)
    expect(text).not.toContain('[DONE]')
    expect(text).not.toContain('message_stop')
  })
})

describe('a recorded count of tokens', () => {
  test.each(across(recordedCounts))('$name is the same number in $to', ({ format, body, to }) => {
    const tokens = conversionOf(format).count?.decodeResponse(body) ?? 0
    expect(tokens).toBeGreaterThan(0)
    const { count } = conversionOf(to)
    // Chat has no such call.
    expect(count === undefined).toBe(to === 'chat')
    if (count) expect(count.decodeResponse(count.encodeResponse(tokens))).toBe(tokens)
  })
})

test('every recorded file of these folders is tried here', () => {
  const tried = [
    ...[recordedRequests, recordedAnswers, recordedCounts, recordedErrors].flat(),
    ...recordedAnswerStreams,
    { name: `openai-responses/${failedResponse.name}` },
  ].map(({ name }) => name.replace(/ \d+$/, ''))
  expect([...new Set(tried)].sort()).toEqual([...recordedFiles].sort())
})
