import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../support/gateway/pair.ts'

let pair: Pair

beforeAll(async () => {
  pair = await startPair({
    handler: () => ({ body: { choices: [], content: [], candidates: [], input_tokens: 1 } }),
  })
})
afterAll(() => pair.close())

const turns = [{ role: 'user', content: 'Hi' }]
const version = { 'anthropic-version': '2023-06-01' }

describe('Messages', () => {
  const good = { model: 'messages-model', messages: turns, max_tokens: 1 }
  const post = (body: object, headers: Record<string, string> = version, path = '/v1/messages') =>
    pair.send(path, { body, headers })

  test.each([
    ['the smallest limit', {}],
    ['temperature 0', { temperature: 0 }],
    ['temperature 1', { temperature: 1 }],
    ['no temperature', { temperature: null }],
    ['stream null', { stream: null }],
    ['content null and unknown roles', { messages: [{ role: 'system', content: null, x: 1 }] }],
  ])('takes %s', async (_, fields) => {
    expect((await post({ ...good, ...fields })).status).toBe(200)
  })

  test.each([
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ max_tokens: -1 }, 'max_tokens'],
    [{ max_tokens: 1.5 }, 'max_tokens'],
    [{ max_tokens: '5' }, 'max_tokens'],
    [{ max_tokens: null }, 'max_tokens'],
    [{ max_tokens: undefined }, 'max_tokens'],
    [{ temperature: 1.5 }, 'temperature'],
    [{ temperature: -0.1 }, 'temperature'],
    [{ temperature: '1' }, 'temperature'],
    [{ messages: 'Hi' }, 'messages'],
    [{ messages: {} }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: ['Hi'] }, 'messages[0]'],
    [{ messages: undefined }, 'messages'],
    [{ model: undefined }, 'model'],
    [{ model: 7 }, 'model'],
    [{ model: '' }, 'model'],
    [{ stream: 'yes' }, 'stream'],
  ])('refuses %j and names the field', async (fields, field) => {
    const before = pair.upstream.requests.length
    const answer = await post({ ...good, ...fields })
    expect(answer.status).toBe(400)
    const { type, error } = answer.json<{
      type: string
      error: { type: string; message: string }
    }>()
    expect([type, error.type]).toEqual(['error', 'invalid_request_error'])
    expect(error.message.startsWith(`${field}: `)).toBe(true)
    expect(pair.upstream.requests.length).toBe(before)
  })

  test('needs anthropic-version, for counting too', async () => {
    for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
      const answer = await post(good, {}, path)
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('anthropic-version: header is required')
    }
  })

  test('counts tokens without max_tokens', async () => {
    const { max_tokens: _, ...body } = good
    expect((await post(body, version, '/v1/messages/count_tokens')).status).toBe(200)
    expect(
      (await post({ ...body, messages: 'x' }, version, '/v1/messages/count_tokens')).status,
    ).toBe(400)
  })
})

describe('Chat Completions', () => {
  const good = { model: 'chat-model', messages: turns }
  const post = (body: object) => pair.send('/v1/chat/completions', { body })

  test.each([
    {},
    { stream: null },
    { temperature: 1.9 },
    { max_tokens: '12' },
    { stream_options: null },
  ])('takes %j', async (fields) => {
    expect((await post({ ...good, ...fields })).status).toBe(200)
  })

  test.each([
    [{ messages: 'Hi' }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: undefined }, 'messages'],
    [{ model: null }, 'model'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ stream: 1 }, 'stream'],
    [{ stream_options: 'x' }, 'stream_options'],
  ])('refuses %j and names the field', async (fields, field) => {
    const answer = await post({ ...good, ...fields })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({
      error: { type: 'invalid_request_error', code: 'invalid_request', param: field },
    })
  })
})

describe('generateContent', () => {
  const good = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }
  const post = (body: object, verb = 'generateContent') =>
    pair.send(`/v1beta/models/gemini-model:${verb}`, { body })
  const voice = { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } }

  test.each([
    ['no generationConfig', {}],
    ['an empty one', { generationConfig: {} }],
    ['text', { generationConfig: { responseModalities: ['TEXT'] } }],
    [
      'audio with a voice',
      { generationConfig: { responseModalities: ['AUDIO'], speechConfig: voice } },
    ],
    [
      'audio with several speakers, in snake case',
      {
        generation_config: {
          response_modalities: ['AUDIO'],
          speech_config: { multi_speaker_voice_config: {} },
        },
      },
    ],
  ])('takes %s', async (_, fields) => {
    expect((await post({ ...good, ...fields })).status).toBe(200)
  })

  test.each([
    [
      { generationConfig: { responseModalities: ['AUDIO'] } },
      'generationConfig.speechConfig.voiceConfig',
    ],
    [
      { generationConfig: { responseModalities: ['TEXT', 'audio'], speechConfig: {} } },
      'generationConfig',
    ],
    [{ generationConfig: 'x' }, 'generationConfig'],
    [{ contents: 'Hi' }, 'contents'],
    [{ contents: [] }, 'contents'],
    [{ contents: undefined }, 'contents'],
  ])('refuses %j and names the field', async (fields, field) => {
    const answer = await post({ ...good, ...fields })
    expect(answer.status).toBe(400)
    const { error } = answer.json<{ error: { code: number; status: string; message: string } }>()
    expect([error.code, error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(error.message.startsWith(field)).toBe(true)
  })

  test('counts bare contents or a whole request', async () => {
    expect((await post(good, 'countTokens')).status).toBe(200)
    expect((await post({ generateContentRequest: good }, 'countTokens')).status).toBe(200)
    expect((await post({}, 'countTokens')).status).toBe(400)
  })
})
