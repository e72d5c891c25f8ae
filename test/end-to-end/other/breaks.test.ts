import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OtherStage, startOtherStage } from '../../support/stages/other-stage.ts'
import { startUpstream } from '../../support/upstreams/scripted-upstream.ts'

let stage: OtherStage

beforeAll(async () => {
  stage = await startOtherStage()
})
afterAll(() => stage.close())

const data = (event: object) => `data: ${JSON.stringify(event)}\n\n`

/** Asks for a format of OpenAI's; a body that breaks off is told in `failure`. */
async function ask(path: string, body: object) {
  const response = await fetch(stage.gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stage.gateway.key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  const { status } = response
  return response.text().then(
    (text) => ({ status, text, failure: null }),
    (failure: unknown) => ({ status, text: '', failure }),
  )
}

describe('speech of Google’s that streams and holds no sound', () => {
  const speak = { input: 'Hi', voice: 'Kore', response_format: 'pcm' }
  const model = 'gemini-2.5-flash-preview-tts'

  test('is refused in the model’s own words, as a whole answer is', async () => {
    stage.upstreams.google.script({
      chunks: [
        data({ candidates: [{ content: { parts: [{ text: 'I would rather not.' }] }, index: 0 }] }),
        data({ candidates: [{ finishReason: 'PROHIBITED_CONTENT', index: 0 }] }),
      ],
    })
    const row = await stage.booked(async () => {
      const { status, text } = await ask('/v1/audio/speech', { model, ...speak })
      expect(status).toBe(400)
      expect(JSON.parse(text).error).toMatchObject({
        message: expect.stringContaining('I would rather not.'),
        code: 'moderation_blocked',
      })
    })
    expect(row.other).toMatchObject({ status_code: 400 })
  })
})

describe('a vendor of speech that thinks for long', () => {
  test('and breaks off before its first sound is not the last that is asked', async () => {
    stage.gateway.set({ StreamKeepAliveSeconds: 1 })
    const slow = await startUpstream()
    slow.script({
      headers: { 'content-type': 'audio/mpeg' },
      chunks: ['', ''],
      pause: 2500,
      ending: 'cut',
    })
    const good = await startUpstream(() => ({
      headers: { 'content-type': 'audio/mpeg' },
      chunks: ['ID3 sound'],
    }))
    const fields = { type: 1, models: ['spoken'], settings: { endpoint_types: ['audio'] } }
    stage.addChannel('openai', { ...fields, name: 'slow', baseUrl: slow.url, priority: 9 })
    stage.addChannel('openai', { ...fields, name: 'good', baseUrl: good.url, priority: 1 })
    const { status, text, failure } = await ask('/v1/audio/speech', {
      ...{ model: 'spoken', input: 'Hi', voice: 'alloy' },
    })
    await slow.close()
    await good.close()
    expect({ status, text, failure }).toEqual({ status: 200, text: 'ID3 sound', failure: null })
  })
})

test('a stream of Google’s whose only event lacks its blank line is a transcript all the same', async () => {
  const [begin, end] = [{ parts: [{ text: 'Cannon' }] }, { finishReason: 'STOP', index: 0 }]
  stage.upstreams.google.script({
    chunks: [data({ candidates: [{ content: begin, ...end }] }).trimEnd()],
  })
  const form = new FormData()
  form.set('model', 'gemini-3-flash')
  form.set('stream', 'true')
  form.set('file', new Blob(['RIFF....WAVEfmt ']), 'a.wav')
  const response = await fetch(`${stage.gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.gateway.key}` },
    body: form,
  })
  const text = await response.text()
  expect({ status: response.status, text }).toMatchObject({
    status: 200,
    text: expect.stringContaining('{"type":"transcript.text.done","text":"Cannon"'),
  })
})

describe('several pictures in one stream', () => {
  const completed = (b64_json: string, usage?: object) =>
    `event: image_generation.completed\n${data({ type: 'image_generation.completed', b64_json, usage })}`
  const usage = { input_tokens: 5, output_tokens: 9, total_tokens: 14 }
  const body = { model: 'gpt-image-1', prompt: 'A cat', n: 2, stream: true }

  test('all come, however long the second takes, and all are booked', async () => {
    stage.upstreams.openai.script({
      chunks: [completed('AAAA'), completed('BBBB', usage)],
      pause: 3500,
    })
    const row = await stage.booked(async () => {
      const { text } = await ask('/v1/images/generations', body)
      expect(text).toContain('AAAA')
      expect(text).toContain('BBBB')
      expect(text).not.toContain('"error"')
    })
    expect(row).toMatchObject({ promptTokens: 5, completionTokens: 9 })
    expect(row.other).toMatchObject({ images: 2 })
  })

  test('what breaks off behind the first is told as cut', async () => {
    stage.upstreams.openai.script({ chunks: [completed('AAAA')], ending: 'cut' })
    const { text } = await ask('/v1/images/generations', body)
    expect(text).toContain('AAAA')
    expect(text).toContain('"error"')
  })
})
