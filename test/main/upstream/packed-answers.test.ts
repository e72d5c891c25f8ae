import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modelOf, type Pair, startPair } from '../../support/gateway/pair.ts'

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.close())

const answer = {
  ...{ id: 'c', object: 'chat.completion', created: 1, model: modelOf.chat },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
}

test.each(['gzip', 'GZIP', 'X-GZip', 'gzip, identity', ' gzip'])(
  'an answer packed as "%s" is unpacked',
  async (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    pair.upstream.script({ body: gzipSync(JSON.stringify(answer)), headers })
    const body = { model: modelOf.chat, messages: [{ role: 'user', content: 'Hi' }] }
    const told = await pair.send('/v1/chat/completions', { body })
    expect(told.status, told.text).toBe(200)
    expect(told.headers['content-encoding']).toBeUndefined()
    expect(told.json()).toEqual(answer)
  },
)

test('an answer that says it is plain stays as it is', async () => {
  pair.upstream.script({ body: answer, headers: { 'content-encoding': 'Identity' } })
  const body = { model: modelOf.chat, messages: [{ role: 'user', content: 'Hi' }] }
  expect((await pair.send('/v1/chat/completions', { body })).json()).toEqual(answer)
})
