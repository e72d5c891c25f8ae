import { expect, test } from 'vitest'
import type { Choice, ExchangeResponse } from '../../../../main/convert/exchange-response.ts'
import { generateContentConversion } from '../../../../main/convert/generate-content/conversion.ts'
import { spreadResponse } from '../../../../main/convert/stream/spread-response.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'
import { asJson, chunksOf, target } from './wire-ways.ts'

const answer = (choice: Partial<Choice>, usage: ExchangeResponse['usage'] = null) => ({
  ...{ id: 'msg_1', model: 'claude', created: null, usage },
  choices: [{ parts: [], stop: { reason: 'end', vendorReason: 'end_turn' } as const, ...choice }],
})

test('an answer tells apart which tokens were words, pictures and sound', () => {
  const usage = {
    ...{ input: 100, cachedInput: 0, cacheWrite: 0, output: 90, reasoning: 0 },
    detail: { inputAudio: 50, inputImage: 20, outputAudio: 40, outputImage: 30 },
  }
  const told = asJson(
    generateContentConversion.encodeResponse(answer({}, usage), target()),
  ).usageMetadata
  expect(told).toMatchObject({
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 30 },
      { modality: 'IMAGE', tokenCount: 20 },
      { modality: 'AUDIO', tokenCount: 50 },
    ],
    candidatesTokensDetails: [
      { modality: 'TEXT', tokenCount: 20 },
      { modality: 'IMAGE', tokenCount: 30 },
      { modality: 'AUDIO', tokenCount: 40 },
    ],
  })
})

test('a stream has the sources of its second text at its place in the whole', () => {
  const citations = [
    { type: 'url' as const, url: 'https://a.example', title: 'A', start: 0, end: 3 },
  ]
  const parts = [
    { type: 'text' as const, text: 'Öl. ' },
    { type: 'text' as const, text: 'Two.', citations },
  ]
  const last = chunksOf(spreadResponse(answer({ parts }))).at(-1) as Json
  expect((last.candidates as Json[])[0]?.groundingMetadata).toMatchObject({
    groundingSupports: [{ segment: { startIndex: 5, endIndex: 8, text: 'Two' } }],
  })
})
