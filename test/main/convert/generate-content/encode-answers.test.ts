import { describe, expect, test } from 'vitest'
import type { ReasoningState } from '../../../../main/convert/exchange.ts'
import type { Choice, ExchangeResponse } from '../../../../main/convert/exchange-response.ts'
import { generateContentConversion } from '../../../../main/convert/generate-content/conversion.ts'
import { markState } from '../../../../main/convert/reasoning/reasoning-state.ts'
import { spreadResponse } from '../../../../main/convert/stream/spread-response.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'
import { asJson, asked, chunksOf, decoded, target, wiresOf } from './wire-ways.ts'

const { decodeResponse, encodeResponse } = generateContentConversion

const claude: ReasoningState = {
  origin: 'messages',
  kind: 'signature',
  data: 'Er8CCkgI',
  model: 'claude-opus-5-5',
}
const redacted: ReasoningState = { ...claude, kind: 'redacted', data: 'EmwKAh' }

const answer = (
  choice: Partial<Choice>,
  more: Partial<ExchangeResponse> = {},
): ExchangeResponse => ({
  id: 'msg_1',
  model: 'claude',
  created: null,
  choices: [{ parts: [], stop: { reason: 'end', vendorReason: 'end_turn' }, ...choice }],
  usage: { input: 100, cachedInput: 40, cacheWrite: 10, output: 30, reasoning: 20 },
  ...more,
})
const call = (text: string, id: string | null = 'toolu_1') =>
  ({ type: 'call', id, name: 'get', kind: 'function', arguments: text }) as const
const thought = (state?: ReasoningState, ...sections: string[]) =>
  ({ type: 'reasoning', sections, form: 'summary', ...(state ? { state } : {}) }) as const

const candidateOf = (response: ExchangeResponse) =>
  (asJson(encodeResponse(response, target())).candidates as Json[])[0] as Json
const partsIn = (candidate: Json) => (candidate.content as { parts: Json[] }).parts

describe('an answer of another vendor', () => {
  const thinking = answer({
    parts: [
      thought(claude, 'Hm.'),
      { type: 'text', text: 'So.' },
      call('{"id":12345678901234567890}'),
    ],
    stop: { reason: 'tool-calls', vendorReason: 'tool_use' },
  })

  test('has Google’s shape, its words and its counts', () => {
    expect(asJson(encodeResponse(thinking, target()))).toEqual({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'Hm.', thought: true },
              { text: 'So.', thoughtSignature: markState({ ...claude, text: 'Hm.' }) },
              { functionCall: { id: 'toolu_1', name: 'get', args: { id: 12345678901234567000 } } },
            ],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: 100,
        candidatesTokenCount: 10,
        totalTokenCount: 130,
        cachedContentTokenCount: 40,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 100 }],
        thoughtsTokenCount: 20,
      },
      modelVersion: 'asked-for',
      responseId: 'answer-1',
    })
  })

  test.each([
    ['whole', (response: ExchangeResponse) => partsIn(candidateOf(response))],
    ['streamed', (response: ExchangeResponse) => wiresOf(chunksOf(spreadResponse(response)))],
  ])('keeps its vendor’s state through the client and back: %s', (_, wiresFor) => {
    for (const parts of [
      [thought(claude, 'Hm.'), call('{}')],
      [
        thought(claude, 'Hm.'),
        thought(redacted),
        { type: 'text' as const, text: 'So.' },
        call('{}'),
      ],
      [thought(claude, 'Hm.'), { type: 'text' as const, text: 'So.' }],
      [call('{}'), thought(claude)],
    ]) {
      const wires = wiresFor(answer({ parts }))
      const sent = { contents: [{ role: 'model', parts: JSON.parse(JSON.stringify(wires)) }] }
      const states = decoded(sent).turns.flatMap((turn) =>
        turn.parts.flatMap((part) => (part.type === 'reasoning' && part.state ? [part] : [])),
      )
      const wanted = parts.flatMap((part) => (part.type === 'reasoning' ? [part] : []))
      expect(states.map(({ state }) => state)).toEqual(wanted.map(({ state }) => state))
      expect(states.map(({ sections }) => sections.join(''))).toEqual(
        wanted.map(({ sections }) => sections.join('')),
      )
      // Gemini CLI sends no thoughts back: the last state before a call survives that.
      const last = parts.at(-1)
      if (last?.type === 'call') {
        const kept = wires.filter((wire) => wire.thought !== true)
        expect(kept.some((wire) => wire.thoughtSignature !== undefined)).toBe(true)
      }
    }
  })

  test('tells no thoughts to a client that wants none, and keeps their state', () => {
    const request = asked({ origin: 'generate-content', reasoning: { isShown: false } })
    const body = encodeResponse(thinking, target({ request }))
    expect(JSON.stringify(body)).not.toContain('Hm.')
    expect(JSON.stringify(body)).toContain(markState({ ...claude, text: 'Hm.' }))
    expect(JSON.stringify(chunksOf(spreadResponse(thinking), { request }))).not.toContain('Hm.')
  })

  test.each([
    ['end', 'STOP'],
    ['stop-sequence', 'STOP'],
    ['pause', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['context-window', 'MAX_TOKENS'],
    ['refusal', 'SAFETY'],
    ['content-filter', 'SAFETY'],
    ['malformed', 'MALFORMED_FUNCTION_CALL'],
    ['other', 'OTHER'],
  ] as const)('that ended with %s ends with %s', (reason, finishReason) => {
    expect(candidateOf(answer({ stop: { reason } })).finishReason).toBe(finishReason)
  })

  test('has its sources by bytes', () => {
    const citations = [
      { type: 'url' as const, url: 'https://a.example', title: 'A', start: 6, end: 9 },
      { type: 'url' as const, url: 'https://b.example', title: null, start: 0, end: 2 },
      { type: 'url' as const, url: 'https://a.example', title: 'A' },
    ]
    const text = 'Süß, Öl.'
    const hosted = {
      type: 'hosted' as const,
      tool: 'web-search' as const,
      origin: 'messages' as const,
      value: { type: 'server_tool_use', input: { query: 'sweet oil' } },
    }
    const response = answer({ parts: [hosted, { type: 'text', text, citations }] })
    const grounding = {
      webSearchQueries: ['sweet oil'],
      groundingChunks: [
        { web: { uri: 'https://a.example', title: 'A' } },
        { web: { uri: 'https://b.example' } },
      ],
      groundingSupports: [
        { segment: { startIndex: 9, endIndex: 11, text: 'l.' }, groundingChunkIndices: [0] },
        { segment: { endIndex: 3, text: 'Sü' }, groundingChunkIndices: [1] },
        { segment: { endIndex: 11, text }, groundingChunkIndices: [0] },
      ],
    }
    expect(candidateOf(response).groundingMetadata).toEqual(grounding)
    const last = chunksOf(spreadResponse(response)).at(-1) as Json
    expect((last.candidates as Json[])[0]?.groundingMetadata).toEqual(grounding)
    // And back.
    const body = encodeResponse(response, target())
    expect(decodeResponse(asJson(body)).choices[0]?.parts).toMatchObject([
      {
        text,
        citations: [
          { url: 'https://a.example', start: 6, end: 8 },
          { url: 'https://b.example', start: 0, end: 2 },
          { url: 'https://a.example', start: 0, end: 8 },
        ],
      },
    ])
  })

  test('has the likelihoods of its tokens', () => {
    const logprobs = {
      content: [
        {
          token: 'A',
          logprob: -0.5,
          bytes: [65],
          top_logprobs: [{ token: 'B', logprob: -1, bytes: [66] }],
        },
        {
          token: 'C',
          logprob: -0.25,
          bytes: [67],
          top_logprobs: [{ token: 'D', logprob: -2, bytes: [68] }],
        },
      ],
      refusal: null,
    }
    const response = answer({ parts: [{ type: 'text', text: 'A' }], logprobs })
    expect(candidateOf(response).logprobsResult).toEqual({
      chosenCandidates: [
        { token: 'A', logProbability: -0.5 },
        { token: 'C', logProbability: -0.25 },
      ],
      topCandidates: [
        { candidates: [{ token: 'B', logProbability: -1 }] },
        { candidates: [{ token: 'D', logProbability: -2 }] },
      ],
    })
    const back = decodeResponse(asJson(encodeResponse(response, target())))
    expect(back.choices[0]?.logprobs).toEqual(logprobs)
  })
})

describe('a stream of another vendor', () => {
  const start: StreamPart = { type: 'response-start', id: 'x', model: 'gpt', created: null }
  const callStart = (block: number, name: string): StreamPart => ({
    type: 'call-start',
    block,
    choice: 0,
    id: `call_${block}`,
    name,
    kind: 'function',
  })

  test('sends text at once and a call when it is whole', () => {
    const encoder = generateContentConversion.createEncoder(target())
    expect(encoder.push(start)).toBe('')
    encoder.push({ type: 'text-start', block: 0, choice: 0 })
    expect(encoder.push({ type: 'text-delta', block: 0, text: 'Hi' })).toBe(
      'data: {"candidates":[{"content":{"parts":[{"text":"Hi"}],"role":"model"},"index":0}],"modelVersion":"asked-for","responseId":"answer-1"}\n\n',
    )
    encoder.push({ type: 'text-end', block: 0 })
    // Two calls whose pieces come by turns.
    for (const part of [callStart(1, 'a'), callStart(2, 'b')]) expect(encoder.push(part)).toBe('')
    expect(encoder.push({ type: 'call-delta', block: 1, text: '{"n":' })).toBe('')
    expect(encoder.push({ type: 'call-delta', block: 2, text: '' })).toBe('')
    expect(encoder.push({ type: 'call-delta', block: 1, text: '12345678901234567890}' })).toBe('')
    expect(encoder.push({ type: 'call-end', block: 1 })).toContain(
      '"functionCall":{"id":"call_1","name":"a","args":{"n":12345678901234567890}}',
    )
    expect(encoder.push({ type: 'call-end', block: 2 })).toContain('"args":{}')
    expect(encoder.push({ type: 'stop', choice: 0, stop: { reason: 'tool-calls' } })).toBe('')
    const end = encoder.push({ type: 'response-end' })
    expect(JSON.parse(end.slice(6))).toMatchObject({ candidates: [{ finishReason: 'STOP' }] })
  })

  test.each([
    ['length', { path: '/a' }],
    ['tool-calls', { _raw: '{"path":"/a' }],
  ] as const)('a call without its end waits for the reason: %s', (reason, args) => {
    const wires = wiresOf(
      chunksOf([
        start,
        callStart(0, 'a'),
        { type: 'call-delta', block: 0, text: '{"path":"/a' },
        { type: 'call-end', block: 0 },
        { type: 'stop', choice: 0, stop: { reason } },
        { type: 'response-end' },
      ]),
    )
    expect(wires[0]).toEqual({ functionCall: { id: 'call_0', name: 'a', args } })
  })

  test('its last chunk has the usage, its sections are set apart', () => {
    const chunks = chunksOf([
      start,
      { type: 'reasoning-start', block: 0, choice: 0, form: 'summary' },
      { type: 'reasoning-delta', block: 0, section: 0, text: 'A' },
      { type: 'reasoning-delta', block: 0, section: 1, text: 'B' },
      { type: 'reasoning-end', block: 0, state: claude },
      { type: 'stop', choice: 0, stop: { reason: 'end' } },
      {
        type: 'usage',
        usage: { input: 5, cachedInput: 0, cacheWrite: 0, output: 2, reasoning: 0 },
      },
      { type: 'response-end' },
    ])
    expect(wiresOf(chunks)).toEqual([
      { text: 'A', thought: true },
      { text: '\n\nB', thought: true },
      { text: '', thought: true, thoughtSignature: markState({ ...claude, text: 'A\n\nB' }) },
    ])
    expect(chunks.at(-1)?.usageMetadata).toMatchObject({ promptTokenCount: 5, totalTokenCount: 7 })
  })

  test('several answers keep apart', () => {
    const chunks = chunksOf([
      start,
      { type: 'text-start', block: 0, choice: 1 },
      { type: 'text-start', block: 1, choice: 0 },
      { type: 'text-delta', block: 0, text: 'one' },
      { type: 'text-delta', block: 1, text: 'zero' },
      { type: 'text-end', block: 0 },
      { type: 'text-end', block: 1 },
      { type: 'stop', choice: 1, stop: { reason: 'length' } },
      { type: 'stop', choice: 0, stop: { reason: 'end' } },
      { type: 'response-end' },
    ])
    expect([0, 1].map((index) => wiresOf(chunks, index)[0]?.text)).toEqual(['zero', 'one'])
    const end = chunks.at(-1) as Json
    expect((end.candidates as Json[]).map((one) => one.finishReason)).toEqual([
      'STOP',
      'MAX_TOKENS',
    ])
  })

  test('a failure is the last thing it says', () => {
    const [error] = chunksOf([{ type: 'error', message: 'Too much.', status: 429, code: 'x' }])
    expect(error).toEqual({
      error: { code: 429, message: 'Too much.', status: 'RESOURCE_EXHAUSTED' },
    })
  })

  const text: StreamPart[] = [
    start,
    { type: 'text-start', block: 0, choice: 0 },
    { type: 'text-delta', block: 0, text: 'Hi' },
    { type: 'text-end', block: 0 },
  ]
  const failure: StreamPart = { type: 'error', message: 'No.', status: null, code: null }
  test.each<[string, StreamPart[], number]>([
    [
      'an answer',
      [...text, { type: 'stop', choice: 0, stop: { reason: 'end' } }, { type: 'response-end' }],
      2,
    ],
    ['a failure at once', [failure], 1],
    ['a failure later', [...text, failure], 2],
  ])('without alt=sse it is one JSON array: %s', (_, parts, length) => {
    const encoder = generateContentConversion.createEncoder(target({ asArray: true }))
    const body = JSON.parse(parts.map((part) => encoder.push(part)).join(''))
    expect(body).toHaveLength(length)
  })

  test('a call without an end is not held for ever', () => {
    const encoder = generateContentConversion.createEncoder(target())
    encoder.push(callStart(0, 'a'))
    const piece = 'x'.repeat(1024 * 1024)
    expect(() => {
      for (let index = 0; index < 20; index++) {
        encoder.push({ type: 'call-delta', block: 0, text: piece })
      }
    }).toThrow('too long')
  })
})
