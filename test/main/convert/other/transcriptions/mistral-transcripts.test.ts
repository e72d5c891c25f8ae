import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Pair, startPair } from '../../../../support/gateway/pair.ts'

const model = 'voxtral-mini-latest'
let pair: Pair

beforeAll(async () => {
  pair = await startPair({ empty: true })
  pair.addChannelOf('chat', { models: [model], settings: { endpoint_types: ['audio'] } })
})
afterAll(() => pair.close())

const usage = {
  ...{ prompt_audio_seconds: 203, prompt_tokens: 4, completion_tokens: 635 },
  total_tokens: 3264,
}

async function transcribe(stream: boolean) {
  const form = new FormData()
  form.set('model', model)
  if (stream) form.set('stream', 'true')
  form.set('file', new Blob([Buffer.alloc(100)]), 'talk.mp3')
  const answer = await fetch(`${pair.gateway.url}/v1/audio/transcriptions`, {
    ...{ method: 'POST', body: form },
    headers: { authorization: `Bearer ${pair.gateway.key}` },
  })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  const [row] = pair.rowsOf(String(answer.headers.get('x-oneapi-request-id')))
  return { text, row }
}

const booked = { promptTokens: 4, completionTokens: 635 }

test('a transcript of Mistral’s is booked by its seconds', async () => {
  pair.upstream.script({ body: { model, text: 'Hello', language: 'en', segments: [], usage } })
  const { row } = await transcribe(false)
  expect(row).toMatchObject(booked)
  expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ seconds: 203 })
})

test('a stream of Mistral’s ends with its last event, not with an error', async () => {
  const events = [
    { type: 'transcription.language', audio_language: 'en' },
    { type: 'transcription.text.delta', text: 'Hello' },
    { type: 'transcription.done', model, text: 'Hello', segments: [], language: 'en', usage },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  pair.upstream.script({ chunks: events })
  const { text, row } = await transcribe(true)
  expect(text).toBe(events.join(''))
  expect(row).toMatchObject({ ...booked, type: 2 })
  expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ seconds: 203 })
})
