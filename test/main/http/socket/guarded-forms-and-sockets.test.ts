import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

let gateway: TestGateway
let upstream: ScriptedUpstream
let sockets: SocketUpstream

beforeAll(async () => {
  upstream = await startUpstream(() => ({ body: { text: 'heard', data: [{ url: 'x' }] } }))
  sockets = await startSocketUpstream({
    onSession: ({ socket }) => socket.on('message', (data) => socket.send(String(data))),
  })
  gateway = await startTestGateway()
  gateway.addChannel({
    baseUrl: upstream.url,
    models: ['cheap', 'expensive'],
    settings: { endpoint_types: ['openai', 'audio', 'image-generation'] },
  })
  gateway.addChannel({
    baseUrl: sockets.url,
    models: ['talker'],
    settings: { endpoint_types: ['realtime', 'openai-response'] },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
  await sockets.close()
})

const part = (head: string, text: string) =>
  `--b\r\nContent-Disposition: ${head}\r\n\r\n${text}\r\n`
const file = part('form-data; name="file"; filename="a.wav"', 'RIFF')

async function postForm(...parts: string[]) {
  const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
    body: `${parts.join('')}--b--\r\n`,
  })
  return { status: response.status, json: (await response.json()) as { error?: object } }
}

describe('a form whose model readers could take for another', () => {
  const model = (name: string) => part('form-data; name="model"', name)
  test.each([
    ['the field twice', [model('cheap'), model('expensive'), file], 'model'],
    ['the second behind the file', [model('cheap'), file, model('expensive')], 'model'],
    ['another case', [model('cheap'), part('form-data; name="Model"', 'expensive'), file], 'Model'],
    [
      'a dash',
      [model('cheap'), part('form-data; name="response-format"', 'x'), file],
      'response-format',
    ],
    [
      'a part that names its field twice',
      [model('cheap'), part('form-data; name="x"; name="model"', 'expensive'), file],
      'x',
    ],
    [
      'a part with two heads',
      [
        model('cheap'),
        part('form-data; name="y"\r\nContent-Disposition: form-data; name="model"', 'expensive'),
        file,
      ],
      'y',
    ],
  ])('%s is refused', async (_, parts, param) => {
    const { status, json } = await postForm(...parts)
    expect(status, JSON.stringify(json)).toBe(400)
    expect(json.error).toMatchObject({ code: 'invalid_request', param })
  })

  test.each(['models', 'models[]', 'fallbacks', 'preset', 'providerOptions[gateway][models]'])(
    'one that names further models in %s is refused: a form is not asked which',
    async (name) => {
      const further = part(`form-data; name="${name}"`, 'expensive')
      const { status, json } = await postForm(model('cheap'), further, file)
      expect(status, JSON.stringify(json)).toBe(400)
      expect(json.error).toMatchObject({ code: 'invalid_request', param: name })
    },
  )

  test('but a plain one is served', async () => {
    expect((await postForm(file, model('cheap'))).status).toBe(200)
  })
})

const connect = (path: string) =>
  connectSocket(gateway.url, path, { headers: { authorization: `Bearer ${gateway.key}` } })

describe('a message of a WebSocket that readers could take for another', () => {
  test.each([
    ['a type twice', '{"type":"response.cancel","type":"session.update"}', 'type'],
    ['a type in another case', '{"type":"response.cancel","Type":"session.update"}', 'Type'],
    [
      'a model twice',
      '{"type":"session.update","session":{"model":"talker","model":"b"}}',
      'session',
    ],
    ['another model', '{"type":"session.update","session":{"model":"expensive"}}', 'session.model'],
    ['a comment', '/* */{"type":"session.update"}', null],
  ])(
    'of a realtime session: %s goes no further, and the session goes on',
    async (_, sent, param) => {
      const client = await connect('/v1/realtime?model=talker')
      client.raw.send(sent)
      client.raw.send(Buffer.from(sent), { binary: true })
      const good = '{"type":"session.update","session":{"model":"talker","voice":"x"}}'
      client.raw.send(good)
      const [first, second, third] = await client.heard<{ type: string; error: object }>(3)
      expect(first).toMatchObject({ type: 'error' })
      expect(second).toMatchObject({ type: 'error' })
      if (param) expect(first?.error).toMatchObject({ code: 'invalid_request', param })
      expect(third).toEqual(JSON.parse(good))
      client.raw.close()
    },
  )

  const asked = { type: 'response.create', model: 'talker', input: 'hi' }
  test.each([
    ['{"type":"response.create","model":"talker","Model":"b","input":"hi"}', 'Model'],
    [
      '{"type":"response.processed","type":"response.create","model":"talker","input":"hi"}',
      'type',
    ],
    [
      '{"type":"response.create","model":"talker","input":"hi","response":{"model":"b"}}',
      'response.model',
    ],
    [
      '{"type":"response.create","model":"talker","input":"hi","max_output_tokens":"x"}',
      'max_output_tokens',
    ],
    ['{"type":"response.create","model":"talker","input":"hi","background":true}', 'background'],
    ...[
      ['models', ['expensive']],
      ['fallbacks', ['expensive']],
      ['providerOptions', { gateway: { models: ['expensive'] } }],
      ['preset', 'mine'],
      ['stream', false],
      ['max_output_tokens', 100_000],
      ['max_tool_calls', 9],
      ['service_tier', 'priority'],
      ['tools', [{ type: 'image_generation', model: 'expensive' }]],
      ['input', 'another'],
      ['prompt', { id: 'pmpt_1' }],
      ['conversation', 'conv_1'],
      ['previous_response_id', 'resp_1'],
      ['background', true],
      ['Max_Output_Tokens', 9],
      ['serviceTier', 'priority'],
      ['Model', 'expensive'],
    ].map(([key, value]) => [
      JSON.stringify({ ...asked, response: { [String(key)]: value } }),
      `response.${key}`,
    ]),
    [JSON.stringify({ ...asked, response: [{ model: 'expensive' }] }), 'response'],
    ['{"type":"response.more","response":{"model":"expensive"}}', 'response.model'],
    ['{"type":"response.create","model":"talker","response":{"a":1,"a":2}}', 'response'],
  ])('of Responses: %s', async (sent, param) => {
    const before = sockets.sessions.length
    const client = await connect('/v1/responses')
    client.raw.send(sent)
    const [said] = await client.heard<{ status: number; error: object }>(1)
    expect(said).toMatchObject({ type: 'error', status: 400 })
    expect(said?.error).toMatchObject({ param })
    expect(sockets.sessions).toHaveLength(before)
    client.raw.close()
  })

  test('of Responses: what is asked may say its model once more, and what steers it passes', async () => {
    const client = await connect('/v1/responses')
    const inner = {
      model: 'talker',
      metadata: { Tools: 'x', model: 'b' },
      instructions: 'Be brief.',
    }
    client.say({ ...asked, response: inner })
    client.say({ type: 'response.more', response: { id: 'resp_1' } })
    const [first, second] = await client.heard<{ response: object }>(2)
    expect(first).toMatchObject({ type: 'response.create', response: inner })
    expect(second).toMatchObject({ response: { id: 'resp_1' } })
    client.raw.close()
  })

  test('a realtime session is asked for by one model', async () => {
    const asked = connect('/v1/realtime?model=talker&Model=expensive')
    await expect(asked).rejects.toThrow()
    const client = await connect('/v1/realtime?model=talker&Deployment=expensive')
    expect(sockets.sessions.at(-1)?.url).not.toContain('expensive')
    client.raw.close()
  })
})
