import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.close())

const choice = { index: 0, finish_reason: 'stop' }
const head = { id: 'c', created: 1, model: 'm' }
const messages = [{ role: 'user', content: 'Hi' }]
const paths = { chat: '/v1/chat/completions', messages: '/v1/messages' }

/** Input and output of the call's row. */
async function booked(client: keyof typeof paths, stream: boolean, usage: object) {
  const said = { role: 'assistant', content: 'Hello.' }
  if (stream) {
    const chunk = { ...head, object: 'chat.completion.chunk' }
    const events = [
      { ...chunk, choices: [{ ...choice, delta: said }] },
      { ...chunk, choices: [], usage },
    ].map((event) => `data: ${JSON.stringify(event)}\n\n`)
    pair.upstream.script({ chunks: [...events, 'data: [DONE]\n\n'] })
  } else {
    const choices = [{ ...choice, message: said }]
    pair.upstream.script({ body: { ...head, object: 'chat.completion', choices, usage } })
  }
  const headers = { 'anthropic-version': '2023-06-01' }
  const body = { model: modelOf.chat, stream, max_tokens: 5000, messages }
  const answer = await pair.send(paths[client], { body, headers })
  expect(answer.status, answer.text).toBe(200)
  const [row] = pair.rowsOf(answer)
  return [row?.promptTokens, row?.completionTokens]
}

const calls = (['chat', 'messages'] as const).flatMap((client) =>
  [false, true].map((stream) => ({ client, stream })),
)

describe.each(calls)('a $client client (stream: $stream)', ({ client, stream }) => {
  test('pays for the reasoning that xAI counts beside completion_tokens', async () => {
    const completion_tokens_details = { reasoning_tokens: 94 }
    const usage = { prompt_tokens: 32, completion_tokens: 9, total_tokens: 135 }
    expect(await booked(client, stream, { ...usage, completion_tokens_details })).toEqual([32, 103])
  })

  test('pays for the thoughts that Google’s OpenAI layer counts in the total alone', async () => {
    const usage = { prompt_tokens: 8, completion_tokens: 10, total_tokens: 418 }
    expect(await booked(client, stream, usage)).toEqual([8, 410])
    expect(await booked(client, stream, { prompt_tokens: 8, total_tokens: 418 })).toEqual([8, 410])
  })

  test('pays for no prompt at the price of the answer', async () => {
    const usage = { prompt_tokens: 40, completion_tokens: 9 }
    const cached = { ...usage, cache_read_input_tokens: 30, total_tokens: 79 }
    expect(await booked(client, stream, cached)).toEqual([40, 9])
    const sound = { ...usage, prompt_audio_seconds: 203, total_tokens: 2674 }
    expect(await booked(client, stream, sound)).toEqual([40, 9])
  })
})
