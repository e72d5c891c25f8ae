import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

let gateway: TestGateway
let upstream: SocketUpstream

const modelAliases = { mine: 'talker', listener: 'scribe', secretary: 'expensive' }

beforeAll(async () => {
  gateway = await startTestGateway()
  upstream = await startSocketUpstream()
  gateway.addChannel({
    type: 1,
    baseUrl: upstream.url,
    models: ['talker'],
    modelMapping: { talker: 'vendor-talker' },
    settings: { endpoint_types: ['realtime'] },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

async function open() {
  const { full } = gateway.addToken({
    ...{ modelAliases, modelLimitsEnabled: true, modelLimits: ['talker', 'scribe'] },
  })
  const count = upstream.sessions.length + 1
  const headers = { authorization: `Bearer ${full}` }
  const client = await connectSocket(gateway.url, '/v1/realtime?model=mine', { headers })
  return { client, session: await upstream.session(count) }
}

const update = (session: string) => `{"type":"session.update", "session": ${session} }`

test.each([
  ['{"model":"mine","voice": "x"}', '{"model":"vendor-talker","voice": "x"}'],
  ['{"mod\\u0065l":"mine"}', '{"mod\\u0065l":"vendor-talker"}'],
  ['{"model":"talker"}', '{"model":"vendor-talker"}'],
  [
    '{"audio":{"input":{ "transcription":{"model":"listener","language": "en"}},"speed":1.0}}',
    '{"audio":{"input":{ "transcription":{"model":"scribe","language": "en"}},"speed":1.0}}',
  ],
  [
    '{"input_audio_transcription":{"model":"listener"}}',
    '{"input_audio_transcription":{"model":"scribe"}}',
  ],
  ['{"model":"vendor-talker" , "speed":1.0}', '{"model":"vendor-talker" , "speed":1.0}'],
])(
  'a message names models by the token’s aliases, and the vendor reads its own: %s',
  async (sent, passed) => {
    const { client, session } = await open()
    client.raw.send(update(sent))
    const [heard] = await session.heard(1)
    expect(String(heard?.data)).toBe(update(passed))
    client.raw.close()
  },
)

test.each([
  ['{"model":"listener"}', 'session.model', 'must be the model of the session, "talker"'],
  [
    '{"audio":{"input":{"transcription":{"model":"secretary"}}}}',
    'session.audio.input.transcription.model',
    '"expensive" (asked for as "secretary")',
  ],
  ['{"model":"mine","mod\\u0065l":"listener"}', 'session', 'holds a key twice'],
])('an alias opens no other model: %s', async (sent, param, says) => {
  const { client, session } = await open()
  client.raw.send(update(sent))
  const { error } = await client.event<{ error: { message: string } }>('error')
  expect(error).toMatchObject({ param, message: expect.stringContaining(says) })
  client.raw.close()
  await session.ended
  expect(await session.heard(0)).toEqual([])
})
