import { describe, expect, test } from 'vitest'
import { generateContentConversion } from '../../../../main/convert/generate-content/conversion.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'
import { chunksOf, partsOfChunks, wiresOf } from './wire-ways.ts'

const { decodeResponse } = generateContentConversion

describe('an answer of Google’s', () => {
  const chunk = (parts: Json[], more: Json = {}, usageMetadata?: Json) => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    ...(usageMetadata ? { usageMetadata } : {}),
    modelVersion: 'gemini-3-pro',
    responseId: 'r',
  })

  test('a signature on the empty text that ends an answer is kept, and no other empty text', () => {
    const signed = { text: '', thoughtSignature: 'SIG' }
    const answer = chunk([{ text: 'So' }, { text: '' }, signed], { finishReason: 'STOP' })
    const [choice] = decodeResponse(answer).choices
    expect(choice?.parts).toHaveLength(2)
    expect(choice?.parts).toMatchObject([{ text: 'So' }, { text: '', state: { data: 'SIG' } }])
  })

  test('thoughts, text, calls and signatures come in their order', () => {
    const parts = partsOfChunks(
      chunk([{ text: 'Hm', thought: true }], {}, { promptTokenCount: 9, totalTokenCount: 9 }),
      chunk([{ text: '.', thought: true }]),
      chunk([{ text: 'So' }]),
      chunk([{ text: '' }]),
      chunk([{ functionCall: { name: 'a', args: { n: 1 } }, thoughtSignature: 'SIG' }]),
      chunk(
        [{ functionCall: { id: 'x', name: 'b' } }, { text: '' }],
        { finishReason: 'STOP' },
        {
          promptTokenCount: 9,
          candidatesTokenCount: 2,
          thoughtsTokenCount: 3,
          totalTokenCount: 14,
        },
      ),
    )
    const state = {
      origin: 'generate-content',
      kind: 'signature',
      data: 'SIG',
      model: 'gemini-3-pro',
    }
    expect(parts).toMatchObject([
      { type: 'response-start', id: 'r', model: 'gemini-3-pro', usage: { input: 9 } },
      { type: 'reasoning-start', block: 0 },
      { type: 'reasoning-delta', text: 'Hm' },
      { type: 'usage' },
      { type: 'reasoning-delta', text: '.' },
      { type: 'reasoning-end', block: 0 },
      { type: 'text-start', block: 1 },
      { type: 'text-delta', text: 'So' },
      { type: 'text-end', block: 1 },
      { type: 'call-start', block: 2, id: null, name: 'a' },
      { type: 'call-delta', text: '{"n":1}' },
      { type: 'call-end', block: 2, state },
      { type: 'call-start', block: 3, id: 'x', name: 'b' },
      { type: 'call-delta', text: '{}' },
      { type: 'call-end', block: 3 },
      { type: 'usage', usage: { input: 9, output: 5, reasoning: 3 } },
      { type: 'stop', stop: { reason: 'tool-calls', vendorReason: 'STOP' } },
      { type: 'response-end' },
    ])
  })

  test('a stream that was cut has no end', () => {
    const parts = partsOfChunks(chunk([{ text: 'So' }]))
    expect(parts.at(-1)?.type).toBe('text-delta')
  })

  test('vendors that repeat the finish reason end but once', () => {
    const parts = partsOfChunks(
      chunk([{ text: 'A' }], { finishReason: 'STOP' }),
      chunk([{ text: 'B' }], { finishReason: 'STOP' }),
    )
    expect(parts.filter(({ type }) => type === 'stop')).toHaveLength(1)
    expect(parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : []))).toEqual([
      'A',
      'B',
    ])
  })

  test('a failure inside is told, in an array, too', () => {
    const error = { error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } }
    const failed = { type: 'error', message: 'Overloaded.', status: 503, code: 'UNAVAILABLE' }
    expect(partsOfChunks(error, chunk([{ text: 'x' }]))).toEqual([failed])
    expect(partsOfChunks([error])).toEqual([failed])
  })

  test('a blocked prompt is an answer without words', () => {
    const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, responseId: 'r' }
    const stop = { reason: 'content-filter', vendorReason: 'PROHIBITED_CONTENT' }
    expect(partsOfChunks(blocked)).toMatchObject([
      { type: 'response-start' },
      { type: 'stop', choice: 0, stop },
      { type: 'response-end' },
    ])
    expect(decodeResponse(blocked).choices).toMatchObject([{ parts: [], stop }])
    expect(chunksOf(partsOfChunks(blocked))).toMatchObject([
      { promptFeedback: blocked.promptFeedback },
    ])
  })

  test.each([
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['IMAGE_SAFETY', 'content-filter'],
    ['ESCALATION', 'content-filter'],
    ['PUP_LIMITED_DISABLED', 'content-filter'],
    ['MALFORMED_FUNCTION_CALL', 'malformed'],
    ['UNEXPECTED_TOOL_CALL', 'malformed'],
    ['CONTINUATION', 'pause'],
    ['LANGUAGE', 'other'],
    ['SOMETHING_NEW', 'other'],
  ])('that ended with %s ended with %s', (finishReason, reason) => {
    const stop = { reason, vendorReason: finishReason, explanation: 'why' }
    const body = chunk([], { finishReason, finishMessage: 'why', continuationToken: 't' })
    expect(decodeResponse(body).choices[0]?.stop).toEqual(stop)
    const streamed = partsOfChunks(body).find(({ type }) => type === 'stop')
    expect(streamed).toMatchObject({ stop, native: { fields: { continuationToken: 't' } } })
  })

  test('sources belong to the text, in characters', () => {
    const grounding = {
      finishReason: 'STOP',
      groundingMetadata: {
        webSearchQueries: ['q'],
        groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
        groundingSupports: [
          { segment: { startIndex: 7, endIndex: 11, text: 'Öl.' }, groundingChunkIndices: [0] },
        ],
      },
    }
    const usage = { promptTokenCount: 1, totalTokenCount: 1 }
    const parts = partsOfChunks(
      chunk([{ text: 'Süß, ' }]),
      chunk([{ text: 'Öl.' }], grounding, usage),
    )
    expect(parts.find(({ type }) => type === 'text-citation')).toEqual({
      type: 'text-citation',
      block: 0,
      citation: { type: 'url', url: 'https://a.example', title: 'A', start: 5, end: 8 },
    })
    expect(parts.findLast(({ type }) => type === 'usage')).toMatchObject({
      usage: { detail: { webSearches: 1 } },
    })
  })

  test('searches are counted beside sound, pictures and what tools brought in', () => {
    const grounding = { finishReason: 'STOP', groundingMetadata: { webSearchQueries: ['q'] } }
    const usage = {
      ...{ promptTokenCount: 9, candidatesTokenCount: 1, toolUsePromptTokenCount: 4 },
      promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 7 }],
    }
    const detail = { inputAudio: 7, toolPrompt: 4, webSearches: 1 }
    const body = chunk([{ text: 'So' }], grounding, usage)
    expect(decodeResponse(body).usage?.detail).toEqual(detail)
    const streamed = partsOfChunks(body).findLast(({ type }) => type === 'usage')
    expect(streamed).toMatchObject({ usage: { detail } })
  })

  test('a picture and a tool that ran at Google come whole', () => {
    const code = { executableCode: { language: 'PYTHON', code: '1' } }
    const parts = partsOfChunks(
      chunk([{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }, code], {
        finishReason: 'STOP',
      }),
    )
    expect(parts).toMatchObject([
      { type: 'response-start' },
      { type: 'whole', block: 0, part: { type: 'media', kind: 'image' } },
      { type: 'whole', block: 1, part: { type: 'hosted', tool: 'code-execution' } },
      { type: 'stop' },
      { type: 'response-end' },
    ])
    expect(wiresOf(chunksOf(parts)).slice(0, 2)).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      code,
    ])
  })

  test('arguments in pieces: paths, kinds, strings in several pieces', () => {
    const piece = (jsonPath: string, value: Json, willContinue = false) => ({
      jsonPath,
      ...value,
      ...(willContinue ? { willContinue } : {}),
    })
    const partial = (partialArgs: Json[]) =>
      chunk([{ functionCall: { partialArgs, willContinue: true } }])
    const parts = partsOfChunks(
      chunk([{ functionCall: { name: 'a', willContinue: true } }]),
      partial([piece('$.files[0].path', { stringValue: '/a' }, true)]),
      partial([piece('$.files[0].path', { stringValue: '.txt' })]),
      partial([
        piece("$.files[1]['odd name']", { numberValue: 2 }),
        piece('$.on', { boolValue: false }),
      ]),
      partial([
        piece('$.none', { nullValue: 'NULL_VALUE' }),
        piece('$.__proto__.x', { numberValue: 1 }),
      ]),
      chunk([{ functionCall: {} }], { finishReason: 'STOP' }),
    )
    expect(parts.flatMap((part) => (part.type === 'call-delta' ? [part.text] : []))).toEqual([
      '{"files":[{"path":"/a.txt"},{"odd name":2}],"on":false,"none":null,"__proto__":{"x":1}}',
    ])
    expect(({} as Json).x).toBeUndefined()
    expect(() =>
      partsOfChunks(
        chunk([{ functionCall: { name: 'a', willContinue: true } }]),
        partial([piece('$.a[1000000000]', { numberValue: 1 })]),
      ),
    ).toThrow('cannot be read')
  })

  test('an argument that comes anew takes the place of the one before', () => {
    const piece = (stringValue: string) =>
      chunk([
        {
          functionCall: { partialArgs: [{ jsonPath: '$.path', stringValue }], willContinue: true },
        },
      ])
    const parts = partsOfChunks(
      chunk([{ functionCall: { name: 'a', willContinue: true } }]),
      piece('/a.txt'),
      piece('/b.txt'),
      chunk([{ functionCall: {} }], { finishReason: 'STOP' }),
    )
    expect(parts.flatMap((part) => (part.type === 'call-delta' ? [part.text] : []))).toEqual([
      '{"path":"/b.txt"}',
    ])
  })

  test('a second signature begins a second text', () => {
    const parts = partsOfChunks(
      chunk([{ text: 'A', thoughtSignature: 'S1' }]),
      chunk([{ text: 'B', thoughtSignature: 'S2' }], { finishReason: 'STOP' }),
    )
    const ends = parts.flatMap((part) => (part.type === 'text-end' ? [part.state?.data] : []))
    expect(ends).toEqual(['S1', 'S2'])
  })

  test('what is no answer is told so', () => {
    expect(() => decodeResponse({ hello: 1 })).toThrow('no candidate')
    expect(() => decodeResponse([{ error: { code: 500, message: 'Broken.' } }])).toThrow('Broken.')
  })

  test('counts are told in full', () => {
    const { usage, serviceTier } = decodeResponse({
      ...chunk([{ text: 'x' }], { finishReason: 'STOP' }),
      usageMetadata: {
        promptTokenCount: 10,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 3,
        thoughtsTokenCount: 2,
        toolUsePromptTokenCount: 5,
        totalTokenCount: 20,
        promptTokensDetails: [{ modality: 'IMAGE', tokenCount: 6 }],
        serviceTier: 'PRIORITY',
      },
    })
    expect(serviceTier).toBe('priority')
    expect(usage).toEqual({
      input: 15,
      cachedInput: 4,
      cacheWrite: 0,
      output: 5,
      reasoning: 2,
      tier: 'priority',
      detail: { inputImage: 6, toolPrompt: 5 },
      reportedModel: 'gemini-3-pro',
    })
  })
})
