import { afterAll, beforeAll, expect, test } from 'vitest'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.close())

const messages = [{ role: 'user', content: 'Hi' }]

test.each(['/v1/chat/completions', '/v1/messages'])(
  'a client of %s pays what Moonshot tells in the last choice of its stream, not an estimate',
  async (path) => {
    const usage = { prompt_tokens: 1900, completion_tokens: 130, total_tokens: 2030 }
    const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
    const choices = [
      { index: 0, delta: { content: 'Hello' }, finish_reason: null },
      { index: 0, delta: {}, finish_reason: 'stop', usage },
    ]
    const chunks = choices.map((one) => `data: ${JSON.stringify({ ...head, choices: [one] })}\n\n`)
    pair.upstream.script({ chunks: [...chunks, 'data: [DONE]\n\n'] })
    const body = { model: modelOf.chat, stream: true, max_tokens: 5000, messages }
    const headers = { 'anthropic-version': '2023-06-01' }
    const answer = await pair.send(path, { body, headers })
    expect(answer.status, answer.text).toBe(200)
    const [row] = pair.rowsOf(answer)
    expect(row).toMatchObject({ promptTokens: 1900, completionTokens: 130 })
    expect(JSON.parse(row?.other ?? '{}')).not.toHaveProperty('estimated')
  },
)
