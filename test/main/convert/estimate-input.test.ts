import { describe, expect, test } from 'vitest'
import { estimateInput } from '../../../main/convert/estimate/estimate-input.ts'
import type { ExchangeRequest, MediaPart, Part, Turn } from '../../../main/convert/exchange.ts'
import { readFixture } from '../../support/recordings/fixtures.ts'

const request = (...parts: Part[]): ExchangeRequest => ({
  origin: 'messages',
  model: 'm',
  stream: false,
  turns: [{ role: 'user', parts }],
  tools: [],
})
const estimate = (...parts: Part[]) => estimateInput(request(...parts))
const text = (words: string): Part => ({ type: 'text', text: words })
const base64 = (
  kind: MediaPart['kind'],
  mediaType: string,
  bytes: number,
  detail?: string,
): Part => ({
  type: 'media',
  kind,
  source: { type: 'base64', mediaType, data: 'A'.repeat((bytes * 4) / 3) },
  ...(detail === undefined ? {} : { detail }),
})
const nothing = estimate()

interface Block {
  type: string
  text?: string
  thinking?: string
  id?: string
  name?: string
  input?: unknown
  tool_use_id?: string
  content?: string | Block[]
}
interface Recorded {
  system?: string | Block[]
  messages: { role: 'user' | 'assistant' | 'system'; content: string | Block[] }[]
  tools?: { name: string; description: string; input_schema: Record<string, unknown> }[]
}

function partsOf(content: string | Block[] | undefined): Part[] {
  if (typeof content === 'string') return [text(content)]
  return (content ?? []).map((block): Part => {
    if (block.type === 'thinking') {
      return { type: 'reasoning', sections: [block.thinking ?? ''], form: 'raw' }
    }
    if (block.type === 'tool_use') {
      const { id = '', name = '', input } = block
      return { type: 'call', id, name, kind: 'function', arguments: JSON.stringify(input) }
    }
    if (block.type !== 'tool_result') return text(block.text ?? '')
    const parts = partsOf(block.content).filter((part) => part.type === 'text')
    const callId = block.tool_use_id ?? ''
    return { type: 'result', callId, name: null, kind: 'function', isError: false, parts }
  })
}

/** A recorded request of Anthropic's format, as far as counting needs it. */
function recorded(name: string): ExchangeRequest {
  const body: Recorded = JSON.parse(
    readFixture(`anthropic-messages/${name}.request.json`).toString(),
  )
  const turns = body.messages.map(({ role, content }): Turn => ({ role, parts: partsOf(content) }))
  const system: Turn[] = body.system ? [{ role: 'system', parts: partsOf(body.system) }] : []
  return {
    ...request(),
    turns: [...system, ...turns],
    tools: (body.tools ?? []).map(({ name: tool, description, input_schema: schema }) => ({
      type: 'function',
      name: tool,
      description,
      schema,
    })),
  }
}

describe('the estimate of a request', () => {
  test.each([
    ['cache-read', 1532],
    ['count-tokens', 671],
    ['mid-conversation-system', 447],
    ['parallel-tools-turn1', 423],
    ['parallel-tools-turn2', 771],
    ['thinking-tool-turn1', 398],
    ['thinking-tool-turn2', 566],
  ])('%s is not below the vendor’s count of %i, and not far above', (name, counted) => {
    const estimated = estimateInput(recorded(name))
    expect(estimated).toBeGreaterThanOrEqual(counted)
    expect(estimated).toBeLessThan(counted * 1.25 + 400)
  })

  test('is never 0', () => {
    expect(nothing).toBeGreaterThan(0)
    expect(estimateInput({ ...request(), turns: [] })).toBeGreaterThan(0)
  })

  test('counts a Chinese character as a token at least', () => {
    expect(estimate(text('今天天气很好，我们去公园散步吧。'.repeat(100)))).toBeGreaterThan(1600)
  })

  test('counts tools, their schemas and the shape of the answer', () => {
    const schema = {
      type: 'object',
      properties: { path: { type: 'string', description: 'Where the file stands on the disk.' } },
      required: ['path'],
    }
    const tool = { type: 'function' as const, name: 'read', description: 'Reads a file.', schema }
    const one = estimateInput({ ...request(), origin: 'chat', tools: [tool] })
    const two = estimateInput({ ...request(), origin: 'chat', tools: [tool, tool] })
    expect(two - one).toBeGreaterThan(40)
    expect(one).toBeGreaterThan(two - one)
    const shaped = estimateInput({ ...request(), output: { type: 'schema', schema } })
    expect(shaped).toBeGreaterThan(nothing + 20)
  })
})

describe('pictures, documents and sound', () => {
  test('a picture costs the same however large its file is, and little in low detail', () => {
    const small = estimate(base64('image', 'image/png', 3000)) - nothing
    const large = estimate(base64('image', 'image/png', 3_000_000)) - nothing
    expect(small).toBe(large)
    expect(small).toBeGreaterThanOrEqual(1600)
    expect(estimate(base64('image', 'image/png', 3000, 'low')) - nothing).toBeLessThan(400)
  })

  test('a PDF costs by its size, 1500 at least', () => {
    const of = (bytes: number) => estimate(base64('document', 'application/pdf', bytes)) - nothing
    expect(of(3000)).toBeGreaterThanOrEqual(1500)
    expect(of(3000)).toBeLessThan(1600)
    expect(of(3_000_000)).toBeGreaterThanOrEqual(150_000)
  })

  test('a minute of speech costs about what Gemini asks for one', () => {
    const minute = estimate(base64('audio', 'audio/wav', 32_000 * 60)) - nothing
    expect(minute).toBeGreaterThanOrEqual(1900)
    expect(minute).toBeLessThan(2100)
  })

  test('a picture in a tool’s result and one that lies elsewhere count too', () => {
    const far: MediaPart = {
      type: 'media',
      kind: 'image',
      source: { type: 'url', url: 'https://example.org/a.png', mediaType: null },
    }
    const inResult: Part = {
      type: 'result',
      callId: 'a',
      name: null,
      kind: 'function',
      isError: false,
      parts: [far],
    }
    expect(estimate(far)).toBeGreaterThan(nothing + 1599)
    expect(estimate(inResult)).toBeGreaterThan(nothing + 1599)
  })

  test('30 MB of pictures take no time to count', () => {
    const parts = Array.from({ length: 10 }, () => base64('image', 'image/png', 3_000_000))
    // A busy machine may be late by itself: one quick try is enough.
    const tries = Array.from({ length: 20 }, () => {
      const started = performance.now()
      estimate(...parts)
      return performance.now() - started
    })
    expect(Math.min(...tries)).toBeLessThan(20)
  })
})

describe('what only a vendor can read', () => {
  test('an encrypted thought counts by its length, a signature beside its text does not', () => {
    const state = { origin: 'responses' as const, kind: 'encrypted' as const, model: null }
    const data = 'x'.repeat(5000)
    const hidden = estimate({
      type: 'reasoning',
      sections: [],
      form: 'raw',
      state: { ...state, data },
    })
    expect(hidden - nothing).toBeGreaterThan(900)
    const shown = { type: 'reasoning' as const, sections: ['Short.'], form: 'raw' as const }
    expect(estimate({ ...shown, state: { ...state, data } })).toBe(estimate(shown))
  })

  test('a picture that a vendor drew counts as a picture, not as its bytes', () => {
    const drawn: Part = {
      type: 'hosted',
      tool: 'image-generation',
      origin: 'responses',
      value: { type: 'image_generation_call', result: 'A'.repeat(2_000_000) },
    }
    expect(estimate(drawn) - nothing).toBe(1600)
  })

  test('a value of any depth is counted', () => {
    let value: Record<string, unknown> = { end: true }
    for (let depth = 0; depth < 50_000; depth++) value = { next: value }
    expect(estimate({ type: 'native', origin: 'chat', value })).toBeGreaterThan(100_000)
  })
})
