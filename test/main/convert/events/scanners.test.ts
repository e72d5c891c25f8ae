import { describe, expect, test } from 'vitest'
import type { StreamOptions } from '../../../../main/convert/codec.ts'
import { codecOf } from '../../../../main/convert/codecs.ts'
import type { Usage, WireFormat } from '../../../../main/convert/exchange.ts'
import { cutAtRandom } from '../../../support/clients/cut-at-random.ts'
import { recordedStreams } from '../../../support/recordings/fixtures.ts'

const asIs: StreamOptions = { withholdUsage: false, showModel: null, asArray: false }

function scan(format: WireFormat, pieces: readonly Buffer[], options = asIs) {
  const scanner = codecOf(format).createScanner(options)
  const out = pieces.map((piece) => scanner.push(piece))
  out.push(scanner.flush())
  return { scanner, bytes: Buffer.concat(out) }
}

/** Usage worked out the slow way: every event parsed, the last value of each vendor field kept. */
function referenceUsage(format: WireFormat, bytes: Buffer): Usage | null {
  const merged: Record<string, unknown> = {}
  for (const line of bytes.toString().split('\n')) {
    if (!line.startsWith('data:') || line.includes('[DONE]')) continue
    const event = JSON.parse(line.slice(5))
    Object.assign(merged, event.message?.usage, event.usage, event.usageMetadata)
  }
  if (Object.keys(merged).length === 0) return null
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  const inner = (name: string, field: string) =>
    number((merged[name] as Record<string, unknown> | undefined)?.[field])
  if (format === 'messages') {
    const cachedInput = number(merged.cache_read_input_tokens)
    const cacheWrite = number(merged.cache_creation_input_tokens)
    const webSearches = inner('server_tool_use', 'web_search_requests')
    return {
      ...(webSearches > 0 ? { detail: { webSearches } } : {}),
      input: number(merged.input_tokens) + cachedInput + cacheWrite,
      cachedInput,
      cacheWrite,
      output: number(merged.output_tokens),
      reasoning: inner('output_tokens_details', 'thinking_tokens'),
    }
  }
  if (format === 'chat') {
    return {
      input: number(merged.prompt_tokens),
      cachedInput: inner('prompt_tokens_details', 'cached_tokens'),
      cacheWrite: 0,
      output: number(merged.completion_tokens),
      reasoning: inner('completion_tokens_details', 'reasoning_tokens'),
    }
  }
  const reasoning = number(merged.thoughtsTokenCount)
  return {
    input: number(merged.promptTokenCount),
    cachedInput: number(merged.cachedContentTokenCount),
    cacheWrite: 0,
    output: number(merged.candidatesTokenCount) + reasoning,
    reasoning,
    reportedModel: /"modelVersion":\s*"([^"]+)"/.exec(bytes.toString())?.[1],
  }
}

describe.each(recordedStreams)('$name', ({ format, bytes }) => {
  const expected = referenceUsage(format, bytes)

  test.each([1, 2, 3])('passes unchanged and is booked right, cut at random (%i)', (seed) => {
    const { scanner, bytes: out } = scan(format, cutAtRandom(bytes, seed))
    expect(out.equals(bytes)).toBe(true)
    expect(scanner.isWhole()).toBe(true)
    expect(scanner.error).toBeNull()
    expect(scanner.usage()).toEqual(expected)
  })

  test('passes unchanged byte by byte', () => {
    const bytewise = Array.from(bytes, (byte) => Buffer.of(byte))
    const { scanner, bytes: out } = scan(format, bytewise)
    expect(out.equals(bytes)).toBe(true)
    expect(scanner.usage()).toEqual(expected)
  })

  test('is not taken for whole when its last part is missing', () => {
    const text = bytes.toString()
    const end = format === 'messages' ? text.lastIndexOf('event: message_stop') : text.length / 3
    const { scanner } = scan(format, cutAtRandom(Buffer.from(text.slice(0, end)), 4))
    expect(scanner.isWhole()).toBe(false)
  })
})

const chunk = (fields: object) => `data: ${JSON.stringify({ id: 'c', model: 'up', ...fields })}\n\n`
const text = (content: string) => ({ choices: [{ index: 0, delta: { content } }], usage: null })
const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: null }
const usage = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 5 } }
const DONE = 'data: [DONE]\n\n'

describe('a chat stream whose usage the client did not ask for', () => {
  const stream = [chunk(text('Hi')), chunk(finish), chunk(usage), DONE].join('')

  test.each([5, 6, 7])('comes without the usage chunk, however it is cut (%i)', (seed) => {
    const options = { ...asIs, withholdUsage: true }
    const { scanner, bytes } = scan('chat', cutAtRandom(Buffer.from(stream), seed), options)
    expect(bytes.toString()).toBe([chunk(text('Hi')), chunk(finish), DONE].join(''))
    expect(scanner.usage()).toMatchObject({ input: 7, output: 5 })
  })

  test('keeps usage that rides on a chunk with choices', () => {
    const both = chunk({ ...finish, usage: usage.usage }) + DONE
    const { bytes } = scan('chat', [Buffer.from(both)], { ...asIs, withholdUsage: true })
    expect(bytes.toString()).toBe(both)
  })
})

describe('tricky chat streams', () => {
  test('a text that says [DONE] or "usage" ends nothing and is not booked', () => {
    const stream = chunk(text('data: [DONE] "usage":{"prompt_tokens":9}'))
    const { scanner } = scan('chat', [Buffer.from(stream)])
    expect(scanner.isTerminated).toBe(false)
    expect(scanner.usage()).toBeNull()
  })

  test('a finish reason is enough where a vendor leaves out [DONE]', () => {
    expect(scan('chat', [Buffer.from(chunk(text('a')) + chunk(finish))]).scanner.isWhole()).toBe(
      true,
    )
  })

  test('an error event is noticed', () => {
    const stream = `data: {"error":{"message":"Overloaded","code":503}}\n\n`
    expect(scan('chat', [Buffer.from(stream)]).scanner.error).toEqual({
      message: 'Overloaded',
      status: 503,
      code: null,
    })
  })

  test('the asked model name is shown in every chunk where the channel maps it', () => {
    const stream = chunk(text('a "model":"up" b')) + chunk(finish) + DONE
    const { bytes } = scan('chat', cutAtRandom(Buffer.from(stream), 8), {
      ...asIs,
      showModel: 'asked',
    })
    expect(bytes.toString()).toBe(stream.replaceAll('"model":"up"', '"model":"asked"'))
  })

  test('what a cut stream produced is counted from its text', () => {
    const stream = Array.from({ length: 50 }, (_, index) => chunk(text(`word${index} `))).join('')
    const tokens = scan('chat', cutAtRandom(Buffer.from(stream), 9)).scanner.estimateOutput()
    expect(tokens).toBeGreaterThan(60)
    expect(tokens).toBeLessThan(300)
  })
})

test('a line too long to be looked at passes, and what follows it is booked', () => {
  const long = Buffer.alloc(65 * 1024 * 1024, 'A')
  const end = chunk(finish) + chunk(usage) + DONE
  const { scanner, bytes } = scan('chat', [Buffer.from('data: '), long, Buffer.from(`\n\n${end}`)])
  expect(bytes.length).toBe('data: \n\n'.length + long.length + Buffer.byteLength(end))
  expect(scanner.isTerminated).toBe(true)
  expect(scanner.usage()).toMatchObject({ input: 7, output: 5 })
})

describe('a Gemini stream that is one JSON array', () => {
  const items = [
    {
      candidates: [{ content: { parts: [{ text: 'a' }] } }],
      usageMetadata: { promptTokenCount: 3 },
    },
    {
      candidates: [{ content: { parts: [{ text: 'b' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, thoughtsTokenCount: 2 },
    },
  ]
  const bytes = Buffer.from(
    `[${items.map((item) => JSON.stringify(item, null, 2)).join('\n,\n')}]\n`,
  )

  test('passes unchanged and its last usage counts', () => {
    const { scanner, bytes: out } = scan('generate-content', cutAtRandom(bytes, 3), {
      ...asIs,
      asArray: true,
    })
    expect(out.equals(bytes)).toBe(true)
    expect(scanner.isWhole()).toBe(true)
    expect(scanner.usage()).toEqual({
      input: 3,
      cachedInput: 0,
      cacheWrite: 0,
      output: 6,
      reasoning: 2,
    })
  })

  test('is not whole without its bracket', () => {
    const cut = bytes.subarray(0, bytes.length - 3)
    const { scanner } = scan('generate-content', [cut], { ...asIs, asArray: true })
    expect(scanner.isWhole()).toBe(false)
  })
})
