import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'

/** Quota units of a token that costs a dollar a million. */
const UNIT = 500_000 / 1_000_000
const PRO = 1000 * 1.25 * UNIT + 200 * 10 * UNIT
const FLASH = 1000 * 0.3 * UNIT + 200 * 2.5 * UNIT

let pair: Pair

beforeAll(async () => {
  pair = await startPair({ empty: true })
  pair.addChannelOf('generate-content', {
    models: ['gemini-2.5-pro', 'mine'],
    modelMapping: { mine: 'gemini-2.5-pro' },
  })
})
beforeEach(() => pair.gateway.set({ ModelRatio: {} }))
afterAll(() => pair.close())

const answer = (modelVersion: string) => ({
  candidates: [
    { content: { role: 'model', parts: [{ text: 'Hello' }] }, index: 0, finishReason: 'STOP' },
  ],
  usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 200, totalTokenCount: 1200 },
  modelVersion,
})

type Way = 'whole' | 'events' | 'list' | 'converted' | 'converted events'
const reply: Readonly<Record<Way, (modelVersion: string) => Reply>> = {
  whole: (said) => ({ body: answer(said) }),
  converted: (said) => ({ body: answer(said) }),
  'converted events': (said) => reply.events(said),
  events: (said) => ({ chunks: [`data: ${JSON.stringify(answer(said))}\r\n\r\n`] }),
  list: (said) => ({
    headers: { 'content-type': 'application/json' },
    chunks: [`[${JSON.stringify(answer(said), null, 2)}]`],
  }),
}

async function rowOf(way: Way, said: string, model = 'gemini-2.5-pro') {
  pair.upstream.script(reply[way](said))
  const google = `/v1beta/models/${model}`
  const path = {
    whole: `${google}:generateContent`,
    events: `${google}:streamGenerateContent?alt=sse`,
    list: `${google}:streamGenerateContent`,
    converted: '/v1/chat/completions',
    'converted events': '/v1/chat/completions',
  }[way]
  const body =
    path === '/v1/chat/completions'
      ? { model, messages: [{ role: 'user', content: 'Hi' }], stream: way !== 'converted' }
      : { contents: [{ parts: [{ text: 'Hi' }] }] }
  const [row] = pair.rowsOf(await pair.send(path, { body }))
  return { quota: row?.quota, answered: JSON.parse(row?.other ?? '{}').answered_models }
}

describe.each<Way>(['whole', 'events', 'list', 'converted', 'converted events'])(
  'a retired model of Google’s whose calls another one answers, %s,',
  (way) => {
    test('costs what the other does, which the call names', async () => {
      const told = { quota: FLASH, answered: ['gemini-2.5-flash'] }
      expect(await rowOf(way, 'gemini-2.5-flash')).toEqual(told)
      expect(await rowOf(way, 'models/gemini-2.5-flash', 'mine')).toEqual(told)
    })

    test('costs as before while it answers itself', async () => {
      const told = { quota: PRO, answered: undefined }
      expect(await rowOf(way, 'gemini-2.5-pro')).toEqual(told)
      expect(await rowOf(way, 'models/gemini-2.5-pro-20260101')).toEqual(told)
    })
  },
)

test('an answer of a model that nobody knows costs what the asked one does', async () => {
  const told = { quota: PRO, answered: undefined }
  expect(await rowOf('whole', 'nano-codename')).toEqual(told)
  expect(await rowOf('whole', 'm'.repeat(100_000))).toEqual(told)
  expect(await rowOf('whole', '')).toEqual(told)
})

test('the owner’s own price of the asked model holds, whoever answers', async () => {
  pair.gateway.set({ ModelRatio: { 'gemini-2.5-pro': 1 } })
  const { answered } = await rowOf('whole', 'gemini-2.5-flash')
  expect(answered).toBeUndefined()
})
