import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Leniency, LenientJson } from '../../support/clients/lenient-json.ts'
import { startTestGateway, type TestGateway } from '../../support/gateway/start-test-gateway.ts'
import { type ScriptedUpstream, startUpstream } from '../../support/upstreams/scripted-upstream.ts'

/** Vendors whose parsers read a body by rules of their own. */
const parsers: Readonly<Record<string, Leniency>> = {
  'takes the first of two keys': { repeated: 'first', ignoresCase: false, takesComments: true },
  'takes the last of two keys': { repeated: 'last', ignoresCase: false, takesComments: true },
  'ignores case, as Go does': { repeated: 'last', ignoresCase: true, takesComments: false },
}

let gateway: TestGateway
let upstream: ScriptedUpstream
let leniency: Leniency
/** The fields that the vendor read in the last call. */
let read: { model: unknown; stream: unknown; most: unknown } | null

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`

beforeAll(async () => {
  upstream = await startUpstream(({ url, body }) => {
    const object = new LenientJson(leniency).parse(body.toString())
    const model = url.includes('generateContent') ? 'cheap' : object.get('model')
    read = { model, stream: object.get('stream') ?? false, most: object.get('max_tokens') }
    const choice = {
      index: 0,
      message: { role: 'assistant', content: 'ok' },
      finish_reason: 'stop',
    }
    if (read.stream === true) {
      const delta = { index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }
      return { chunks: [event({ model, choices: [delta], usage }), 'data: [DONE]\n\n'] }
    }
    return {
      body: {
        model,
        choices: [choice],
        usage,
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'ok' }],
        output: [],
        candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }],
      },
    }
  })
  gateway = await startTestGateway()
  gateway.addChannel({
    baseUrl: upstream.url,
    models: ['cheap', 'expensive'],
    settings: {
      endpoint_types: ['openai', 'anthropic', 'gemini', 'openai-response'],
      stream_options: false,
    },
  })
})
beforeEach(() => {
  leniency = parsers['takes the last of two keys'] as Leniency
  read = null
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const paths = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  gemini: '/v1beta/models/cheap:generateContent',
} as const

async function post(path: string, body: string | Buffer, key = gateway.key) {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  const text = await response.text()
  return { status: response.status, text, json: () => JSON.parse(text) }
}

const messages = '"messages":[{"role":"user","content":"hi"}]'
const long = 'x'.repeat(9000)

/** Bodies that try for the expensive model, a longer answer, or a stream, at a lower charge. */
const cheats: Readonly<Record<string, { body: string; param?: string }>> = {
  'the model twice, the expensive one first': {
    body: `{"model":"expensive","model":"cheap",${messages}}`,
    param: 'model',
  },
  'the model twice, the expensive one last': {
    body: `{"model":"cheap","model":"expensive",${messages}}`,
    param: 'model',
  },
  'the second one escaped': {
    body: `{"model":"cheap",${messages},"mod\\u0065l":"expensive"}`,
    param: 'model',
  },
  'another case': { body: `{"model":"cheap","Model":"expensive",${messages}}`, param: 'Model' },
  'only another case, beside a key of no meaning': {
    body: `{"model":"cheap",${messages},"MAX_TOKENS":100000}`,
    param: 'MAX_TOKENS',
  },
  'a stream by another case': {
    body: `{"model":"cheap",${messages},"Stream":true}`,
    param: 'Stream',
  },
  'a long s': { body: `{"model":"cheap",${messages},"ſtream":true}`, param: 'ſtream' },
  'a Kelvin sign': {
    body: `{"model":"cheap",${messages},"max_to\u212aens":100000}`,
    param: 'max_to\u212aens',
  },
  'letters of full width': {
    body: `{"model":"cheap",${messages},"ｍｏｄｅｌ":"expensive"}`,
    param: 'ｍｏｄｅｌ',
  },
  'a dotted capital I': { body: `{"model":"cheap",${messages},"servİce_tier":"flex"}` },
  'another way to join words': {
    body: `{"model":"cheap","max_tokens":1,${messages},"maxTokens":100000}`,
    param: 'maxTokens',
  },
  'what the answer costs, within an object': {
    body: `{"model":"cheap",${messages},"stream":true,"stream_options":{"include_usage":true,"Include_Usage":false}}`,
    param: 'stream_options.Include_Usage',
  },
  'a further model twice, in the other spelling of its options': {
    body: `{"model":"cheap",${messages},"provider_options":{"gateway":{"models":["cheap"],"models":["expensive"]}}}`,
    param: 'provider_options',
  },
  'a further model by another case, there': {
    body: `{"model":"cheap",${messages},"provider_options":{"gateway":{"models":["cheap"],"Models":["expensive"]}}}`,
    param: 'provider_options.Models',
  },
  'the model of a further one twice': {
    body: `{"model":"cheap",${messages},"models":[{"model":"cheap","model":"expensive"}]}`,
    param: 'models',
  },
  'a comment that hides a second model in a long body': {
    body: `{"model":"cheap","pad":"${long}",${messages},"x":[1/*"*/],"model":"expensive","y":[/*"*/]}`,
  },
  'a comma too many in a long body': {
    body: `{"model":"cheap","pad":"${long}","messages":[{"role":"user","content":"hi"},]}`,
  },
  'NaN in a long body': { body: `{"model":"cheap","pad":"${long}",${messages},"x":[NaN]}` },
  'single quotes in a long body': {
    body: `{"model":"cheap","pad":"${long}",${messages},"x":['"],"model":"expensive","y":["']}`,
  },
  'a line break within a string of a long body': {
    body: `{"model":"cheap","pad":"${long}","messages":[{"role":"user","content":"a\nb"}]}`,
  },
  'an escape that there is none of, in a long body': {
    body: `{"model":"cheap","pad":"${long}","messages":[{"role":"user","content":"\\x"}]}`,
  },
  'a second object behind the first': {
    body: `{"model":"cheap",${messages}}{"model":"expensive"}`,
  },
  'a space that JSON has not': { body: `{"model":\u00a0"cheap",${messages}}` },
}

describe.each(Object.keys(parsers))('with a vendor whose parser %s', (name) => {
  test.each(Object.entries(cheats))('%s is refused, naming the key', async (_, { body, param }) => {
    leniency = parsers[name] as Leniency
    const answer = await post(paths.chat, body)
    expect(answer.status, answer.text).toBe(400)
    const { error } = answer.json()
    if (param) expect(error).toMatchObject({ code: 'invalid_request', param })
    expect(read).toBeNull()
  })

  test('what is served is what was booked', async () => {
    leniency = parsers[name] as Leniency
    const body = `{"model":"cheap",${messages},"max_tokens":5,"x":{"Model":"b","model":"c","model":"d"}}`
    expect((await post(paths.chat, body)).status).toBe(200)
    expect(read).toEqual({ model: 'cheap', stream: false, most: 5 })
    expect(gateway.rows()[0]?.model).toBe('cheap')
  })
})

describe('bytes that are not UTF-8', () => {
  const bad = [
    ['an overlong quote', [0xc0, 0xa2]],
    ['half a character', [0xe6, 0xa8]],
    ['half of a pair, in bytes', [0xed, 0xa0, 0x80]],
  ] as const
  test.each(bad)('%s is refused, in a short body and in a long one', async (_, bytes) => {
    for (const pad of ['', long]) {
      const [before, after] = [`{"model":"cheap","pad":"${pad}`, `",${messages}}`]
      const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
      const answer = await post(paths.chat, body)
      expect(answer.status).toBe(400)
      expect(answer.json().error.message).toContain('UTF-8')
    }
  })
})

describe('the refusal is in the format that the client speaks', () => {
  test('Messages', async () => {
    const answer = await post(
      paths.messages,
      `{"model":"cheap","max_tokens":1,"Max_Tokens":9,${messages}}`,
    )
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining('Max_Tokens: ') },
    })
  })

  test('Responses', async () => {
    const answer = await post(paths.responses, '{"model":"cheap","input":"hi","Model":"expensive"}')
    expect(answer.status).toBe(400)
    expect(answer.json().error).toMatchObject({ type: 'invalid_request_error', param: 'Model' })
  })

  test.each([
    [
      'generationConfig.MaxOutputTokens',
      '"generationConfig":{"maxOutputTokens":1,"MaxOutputTokens":9}',
    ],
    ['generation_config', '"generationConfig":{"maxOutputTokens":1},"generation_config":{}'],
    [
      'generationConfig.max_output_tokens',
      '"generationConfig":{"maxOutputTokens":1,"max_output_tokens":9}',
    ],
    ['generationConfig', '"generationConfig":{"candidateCount":1,"candidateCount":8}'],
    ['model', '"model":"models/expensive"'],
  ])('Gemini, of %s', async (key, field) => {
    const answer = await post(paths.gemini, `{"contents":[{"parts":[{"text":"hi"}]}],${field}}`)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.json().error.status).toBe('INVALID_ARGUMENT')
    expect(answer.json().error.message).toContain(`${key}: `)
  })
})

describe('what other parsers would take for another number', () => {
  test.each([
    ['chat', `"n":"5.5",${messages}`, 'n'],
    ['chat', `"n":1e400,${messages}`, 'n'],
    ['chat', `"max_tokens":"1e5",${messages}`, 'max_tokens'],
    ['chat', `"max_completion_tokens":0.5,${messages}`, 'max_completion_tokens'],
    ['chat', `"stream":"true",${messages}`, 'stream'],
    ['chat', `"stream":1,${messages}`, 'stream'],
    ['responses', '"input":"hi","max_output_tokens":1e400', 'max_output_tokens'],
    [
      'gemini',
      '"contents":[{"parts":[{"text":"hi"}]}],"generationConfig":{"maxOutputTokens":"0x9"}',
      null,
    ],
  ] as const)('%s: %s is refused', async (format, fields, param) => {
    const model = format === 'gemini' ? '' : '"model":"cheap",'
    const answer = await post(paths[format], `{${model}${fields}}`)
    expect(answer.status, answer.text).toBe(400)
    if (param) expect(answer.json().error.param).toBe(param)
  })

  test('a whole number is taken, however it is written', async () => {
    const body = `{"model":"cheap","n":"1","max_tokens":1.0e2,"max_completion_tokens":null,${messages}}`
    expect((await post(paths.chat, body)).status).toBe(200)
    expect(upstream.last().body.toString()).toBe(body)
  })
})

describe('what real tools send goes through byte for byte', () => {
  const kept = [
    ['half a pair, escaped, in a text', `"messages":[{"role":"user","content":"\\ud83d"}]`],
    [
      'keys of a tool that look like ours',
      `${messages},"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"Model":{"type":"string"},"Stream":{}}}}}]`,
    ],
    [
      'a key twice, deep in the conversation',
      `"messages":[{"role":"user","content":"hi","x":{"a":1,"a":2}}]`,
    ],
    [
      'fields that the gateway does not know',
      `${messages},"metadata":{"Model":"x"},"user":"u","käse":1`,
    ],
  ] as const
  test.each(kept)('%s', async (_, fields) => {
    for (const pad of ['', long]) {
      const body = `\ufeff{ "model":"cheap" , "pad":"${pad}", ${fields}}\n`
      const answer = await post(paths.chat, body)
      expect(answer.status, answer.text).toBe(200)
      expect(upstream.last().body.toString()).toBe(body)
    }
  })
})
