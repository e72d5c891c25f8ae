import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../../main/base/errors.ts'
import type { StreamOptions } from '../../../../main/convert/codec.ts'
import { codecOf } from '../../../../main/convert/codecs.ts'
import { JsonFields } from '../../../../main/convert/json/json-fields.ts'
import { cutAtRandom } from '../../../support/clients/cut-at-random.ts'
import { readFixture } from '../../../support/recordings/fixtures.ts'
import {
  failedResponse,
  objectsIn,
  recordedResponses,
} from '../../../support/recordings/recorded-responses.ts'

type Json = Record<string, unknown>

const codec = codecOf('responses')
const asIs: StreamOptions = { withholdUsage: false, showModel: null, asArray: false }

function scan(pieces: readonly Buffer[], options = asIs) {
  const scanner = codec.createScanner(options)
  const out = pieces.map((piece) => scanner.push(piece))
  out.push(scanner.flush())
  return { scanner, bytes: Buffer.concat(out) }
}

const event = (fields: Json) => `event: ${fields.type}\ndata: ${JSON.stringify(fields)}\n\n`

describe.each(recordedResponses)('$name', ({ bytes, objects }) => {
  const { response } = objects[objects.length - 1] as { response: { usage: Json } }
  const usage = response.usage as Record<string, Json & number>
  const expected = {
    input: usage.input_tokens,
    cachedInput: usage.input_tokens_details?.cached_tokens,
    cacheWrite: 0,
    output: usage.output_tokens,
    reasoning: usage.output_tokens_details?.reasoning_tokens,
  }

  test.each([1, 2, 3])('passes unchanged and is booked right, cut at random (%i)', (seed) => {
    const { scanner, bytes: out } = scan(cutAtRandom(bytes, seed))
    expect(out.equals(bytes)).toBe(true)
    expect(scanner.isWhole()).toBe(true)
    expect(scanner.error).toBeNull()
    expect(scanner.usage()).toEqual(expected)
  })

  test('passes unchanged in one piece and byte by byte', () => {
    for (const pieces of [[bytes], Array.from(bytes, (byte) => Buffer.of(byte))]) {
      const { scanner, bytes: out } = scan(pieces)
      expect(out.equals(bytes)).toBe(true)
      expect(scanner.usage()).toEqual(expected)
      expect(scanner.isTerminated).toBe(true)
    }
  })

  test('is not taken for whole while the last event lacks its data', () => {
    const end = bytes.lastIndexOf('data: {"type":"response.completed"')
    const { scanner } = scan(cutAtRandom(bytes.subarray(0, end), 4))
    expect(scanner.isWhole()).toBe(false)
    expect(scanner.usage()).toBeNull()
  })

  test('shows the asked model, and changes nothing else', () => {
    const text = bytes.toString()
    const { response: first } = objects[0] as { response: Json }
    const { bytes: out } = scan(cutAtRandom(bytes, 5), { ...asIs, showModel: 'asked/name' })
    expect(out.toString()).toBe(
      text.replaceAll(`"model":${JSON.stringify(first.model)}`, '"model":"asked/name"'),
    )
  })
})

describe('a Responses stream that fails', () => {
  test.each([0, 1, 2])('is told by its error, however it is cut (%i)', (seed) => {
    const pieces = seed === 0 ? [failedResponse.bytes] : cutAtRandom(failedResponse.bytes, seed)
    const { scanner, bytes } = scan(pieces)
    expect(bytes.equals(failedResponse.bytes)).toBe(true)
    expect(scanner.error).toMatchObject({ code: 'insufficient_quota', status: 429 })
    // Or it would be booked as a good one.
    expect(scanner.isTerminated).toBe(false)
  })

  test('is told by response.failed alone, and by the flat form of an error', () => {
    const error = { code: 'rate_limit_exceeded', message: 'Slow down.' }
    const failed = event({ type: 'response.failed', response: { status: 'failed', error } })
    const told = { message: 'Slow down.', code: 'rate_limit_exceeded', status: 429 }
    expect(scan([Buffer.from(failed)]).scanner.error).toEqual(told)
    const flat = event({ type: 'error', ...error, param: null, sequence_number: 3 })
    expect(scan([Buffer.from(flat)]).scanner.error).toEqual(told)
  })

  test('that the gateway ends goes on counting, under the same answer', () => {
    const [first] = recordedResponses.filter(({ name }) => name.startsWith('reasoning'))
    const bytes = first?.bytes ?? Buffer.alloc(0)
    const scanner = codec.createScanner(asIs)
    const end = bytes.lastIndexOf('\n\n', bytes.length / 2) + 2
    for (const piece of cutAtRandom(bytes.subarray(0, end), 6)) scanner.push(piece)
    const sent = objectsIn(bytes.subarray(0, end).toString())
    const error = new GatewayError('upstream_cut', { message: 'The upstream went away.' })
    const { encodeError } = scanner as { encodeError?(error: GatewayError): string }
    const [flat, failed] = objectsIn(encodeError?.call(scanner, error) ?? '')
    const next = Number(sent.at(-1)?.sequence_number) + 1
    expect(flat).toMatchObject({ type: 'error', sequence_number: next, code: 'upstream_cut' })
    expect(failed).toMatchObject({
      type: 'response.failed',
      sequence_number: next + 1,
      response: {
        ...(sent[0]?.response as Json),
        status: 'failed',
        error: { code: 'server_error', message: 'The upstream went away.' },
      },
    })
  })

  test('before anything came is a whole response object all the same', () => {
    const error = new GatewayError('rate_limited', { message: 'Later.' })
    const [, failed] = objectsIn(codec.encodeStreamError(error, 'abc', 'event'))
    expect(failed?.response).toMatchObject({
      id: 'resp_abc',
      object: 'response',
      status: 'failed',
      error: { code: 'rate_limit_exceeded' },
      output: [],
      tools: [],
      parallel_tool_calls: true,
    })
  })
})

describe('tricky Responses streams', () => {
  test('tools with a parameter named model, usage or error change nothing', () => {
    const properties = { model: { type: 'string' }, usage: { type: 'object' }, error: {} }
    const tools = [
      { type: 'image_generation', model: 'gpt-image-1' },
      { type: 'function', name: 'f', parameters: { type: 'object', properties } },
    ]
    const response = { object: 'response', tools, error: null, model: 'up', status: 'x' }
    const usage = { input_tokens: 5, output_tokens: 7 }
    const stream =
      event({ type: 'response.created', response: { ...response, usage: null } }) +
      event({ type: 'response.output_text.delta', delta: '"response" "model":"up"' }) +
      event({ type: 'response.completed', response: { ...response, usage } })
    const { scanner, bytes } = scan(cutAtRandom(Buffer.from(stream), 7), {
      ...asIs,
      showModel: 'asked',
    })
    expect(bytes.toString()).toBe(
      stream.replaceAll('"model":"up","status', '"model":"asked","status'),
    )
    expect(scanner.error).toBeNull()
    expect(scanner.usage()).toMatchObject({ input: 5, output: 7 })
    expect(scanner.isWhole()).toBe(true)
  })

  test('an incomplete answer is whole', () => {
    const response = { object: 'response', status: 'incomplete', usage: { input_tokens: 1 } }
    const { scanner } = scan([Buffer.from(event({ type: 'response.incomplete', response }))])
    expect(scanner.isWhole()).toBe(true)
  })
})

describe('a Responses body', () => {
  const check = (body: Json) =>
    codec.checkRequest(new JsonFields(Buffer.from(JSON.stringify(body))), {})
  const field = (body: Json) => {
    try {
      check(body)
      return null
    } catch (error) {
      return (error as GatewayError).field
    }
  }

  test('needs input, unless the conversation comes from elsewhere', () => {
    expect(field({ model: 'm', input: 'Hi' })).toBeNull()
    expect(field({ model: 'm', input: [] })).toBeNull()
    expect(field({ model: 'm' })).toBe('input')
    expect(field({ model: 'm', input: null })).toBe('input')
    expect(field({ model: 'm', input: 5 })).toBe('input')
    expect(field({ model: 'm', input: ['Hi'] })).toBe('input[0]')
    expect(field({ model: 'm', previous_response_id: 'resp_1' })).toBeNull()
    expect(field({ model: 'm', prompt: { id: 'pmpt_1' } })).toBeNull()
    expect(field({ model: 'm', conversation: 'conv_1' })).toBeNull()
    expect(field({ model: 'm', conversation: null })).toBe('input')
  })

  test('has a limit of at least 1 and a switch for streaming', () => {
    expect(field({ input: 'Hi', max_output_tokens: 0 })).toBe('max_output_tokens')
    expect(field({ input: 'Hi', max_output_tokens: '5' })).toBe('max_output_tokens')
    expect(field({ input: 'Hi', max_output_tokens: null })).toBeNull()
    expect(field({ input: 'Hi', stream: 'yes' })).toBe('stream')
    expect(field({ input: 'Hi', stream: null })).toBeNull()
  })
})

describe('a whole Responses answer', () => {
  test('tells its usage and where its model stands', () => {
    const answer = new JsonFields(readFixture('openai-responses/phase.json'))
    expect(codec.readUsage(answer)).toEqual({
      input: 7243,
      cachedInput: 3072,
      cacheWrite: 0,
      output: 423,
      reasoning: 58,
    })
    expect(answer.get(codec.modelField)).toBe('gpt-5.3-codex')
    expect(codec.answerKeys.some((key) => answer.bytes.includes(key))).toBe(true)
  })
})
