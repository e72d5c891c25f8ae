import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRealtimeFact } from '../../../../main/convert/other/realtime/usage.ts'
import { priceOf } from '../../../../main/relay/pricing/model-price.ts'
import { quotaOf } from '../../../../main/relay/pricing/price.ts'
import { defaultSettings } from '../../../../main/store/state/default-settings.ts'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

const model = 'gemini-2.5-flash'
let pair: Pair

beforeAll(async () => {
  pair = await startPair({ empty: true })
  pair.addChannelOf('generate-content', { models: [model] })
})
afterAll(() => pair.close())

const TEXT = 10_000
const SOUND = 20_000
const units = (dollars: number) => Math.round(dollars * 500_000)

const clients = [
  [`/v1beta/models/${model}:generateContent`, { contents: [{ parts: [{ text: 'Hi' }] }] }],
  ['/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] }],
] as const

test.each(clients)(
  'a client of %s pays for new text as text beside sound that Google had cached',
  async (path, body) => {
    const candidates = [
      { content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' },
    ]
    const usageMetadata = {
      promptTokenCount: TEXT + SOUND,
      cachedContentTokenCount: SOUND,
      candidatesTokenCount: 0,
      totalTokenCount: TEXT + SOUND,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: TEXT },
        { modality: 'AUDIO', tokenCount: SOUND },
      ],
      cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: SOUND }],
    }
    pair.upstream.script({ body: { candidates, usageMetadata } })
    const answer = await pair.send(path, { body })
    expect(answer.status, answer.text).toBe(200)
    const [row] = pair.rowsOf(answer)
    expect(row?.quota).toBe(units((TEXT * 0.3 + SOUND * 0.03) / 1_000_000))
  },
)

test('a realtime session pays for its new text as text beside sound that OpenAI had cached', () => {
  const usage = {
    total_tokens: TEXT + SOUND,
    input_tokens: TEXT + SOUND,
    output_tokens: 0,
    input_token_details: {
      text_tokens: TEXT,
      audio_tokens: SOUND,
      cached_tokens: SOUND,
      cached_tokens_details: { text_tokens: 0, audio_tokens: SOUND, image_tokens: 0 },
    },
  }
  const event = JSON.stringify({ type: 'response.done', response: { usage } })
  const fact = readRealtimeFact(Buffer.from(event))
  const told = fact?.type === 'response' ? fact.usage : null
  const price = priceOf('gpt-realtime-2', defaultSettings)
  expect(told && quotaOf(price, told, 1)).toBe(units((TEXT * 4 + SOUND * 0.4) / 1_000_000))
})
