import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'

let gateway: TestGateway
let upstream: ScriptedUpstream
/** The model that the vendor says it has answered with. */
let said: string | undefined
let limited: string

const usage = { prompt_tokens: 1000, completion_tokens: 0, total_tokens: 1000 }
const messages = [{ role: 'user', content: 'hi' }]

function answer(isStream: boolean): Reply {
  const model = said === undefined ? {} : { model: said }
  if (!isStream) {
    const choice = {
      index: 0,
      message: { role: 'assistant', content: 'ok' },
      finish_reason: 'stop',
    }
    return { body: { ...model, choices: [choice], usage } }
  }
  const choice = { index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }
  return {
    chunks: [
      `data: ${JSON.stringify({ ...model, choices: [choice], usage })}\n\n`,
      'data: [DONE]\n\n',
    ],
  }
}

beforeAll(async () => {
  upstream = await startUpstream((request) =>
    answer((request.json() as { stream?: boolean }).stream === true),
  )
  gateway = await startTestGateway()
  gateway.set({ ModelRatio: { cheap: 1, middle: 2, expensive: 50 } })
  gateway.addChannel({
    baseUrl: upstream.url,
    models: ['cheap', 'middle', 'expensive'],
    modelMapping: { middle: 'vendor/middle' },
  })
  limited = gateway.addToken({ modelLimitsEnabled: true, modelLimits: ['cheap', 'middle'] }).full
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

async function post(fields: object, key = gateway.key) {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'cheap', messages, ...fields }),
  })
  return { status: response.status, text: await response.text() }
}

const lists: [at: string, fields: object][] = [
  ['models[1]', { models: ['middle', 'expensive'] }],
  ['fallbacks[0]', { fallbacks: ['expensive'] }],
  ['fallbacks[0].model', { fallbacks: [{ model: 'expensive' }] }],
  ['fallbacks[0].cheap[0]', { fallbacks: [{ cheap: ['expensive'] }] }],
  [
    'providerOptions.gateway.models[0]',
    { providerOptions: { gateway: { models: ['expensive'] } } },
  ],
  ['tools[0].model', { tools: [{ type: 'advisor', model: 'expensive' }] }],
  ['plugins[0].model', { plugins: [{ id: 'fusion', model: 'expensive' }] }],
  [
    'plugins[0].analysis_models[1]',
    { plugins: [{ id: 'fusion', model: 'cheap', analysis_models: ['cheap', 'expensive'] }] },
  ],
  ['plugins', { plugins: [{ id: 'web' }, { id: 'fusion', model: 'cheap' }] }],
  [
    'tools[0].parameters.analysis_models[0]',
    { tools: [{ type: 'openrouter:fusion', parameters: { analysis_models: ['expensive'] } }] },
  ],
  ['tools', { tools: [{ type: 'openrouter:fusion' }] }],
  ['preset', { preset: 'mine' }],
  ['fallbacks', { fallbacks: 'default' }],
]

describe('models that a call names beside its own', () => {
  test.each(lists)('a token that may not use one is refused, naming %s', async (at, fields) => {
    const { status, text } = await post(fields, limited)
    expect(status, text).toBe(403)
    expect(JSON.parse(text).error).toMatchObject({ code: 'model_not_allowed', param: at })
  })

  test('go on where the token may use them all, under their names at the upstream', async () => {
    said = 'cheap'
    const fields = {
      models: ['middle', 'cheap'],
      fallbacks: [{ model: 'middle' }],
      providerOptions: { gateway: { models: ['middle'], order: ['a'] } },
    }
    expect((await post(fields, limited)).status).toBe(200)
    expect(upstream.last().json()).toEqual({
      model: 'cheap',
      messages,
      models: ['vendor/middle', 'cheap'],
      fallbacks: [{ model: 'vendor/middle' }],
      providerOptions: { gateway: { models: ['vendor/middle'], order: ['a'] } },
    })
  })

  test('a panel of models that the token may use answers, and plugins without models do', async () => {
    said = 'cheap'
    const plugins = [
      { id: 'web', max_results: 3 },
      { id: 'fusion', model: 'cheap', analysis_models: ['middle'] },
    ]
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
    expect((await post({ plugins, tools }, limited)).status).toBe(200)
    expect(upstream.last().json()).toMatchObject({ plugins, tools })
  })

  test('are refused where the channel does not list them', async () => {
    const { status, text } = await post({ models: ['unlisted'] })
    expect(status).toBe(400)
    expect(JSON.parse(text).error).toMatchObject({ param: 'models[0]' })
  })

  test.each([
    [{ models: 'expensive' }, 'models'],
    [{ models: [1] }, 'models[0]'],
    [{ providerOptions: { gateway: { models: {} } } }, 'providerOptions.gateway.models'],
  ])('are refused in what is no list of them: %j', async (fields, param) => {
    const { status, text } = await post(fields)
    expect(status).toBe(400)
    expect(JSON.parse(text).error).toMatchObject({ param })
  })
})

/** Units for 1000 tokens of input at a ratio. */
const UNITS = { cheap: 1000, middle: 2000, expensive: 50_000 }

describe.each([false, true])('the price of an answer (stream: %s)', (stream) => {
  const models = ['middle', 'expensive']
  test.each([
    ['is that of the model that answered', 'expensive', { models }, UNITS.expensive],
    ['also under its name at the upstream', 'vendor/middle', { models }, UNITS.middle],
    ['also with a date behind it', 'expensive-2026-01-02', { models }, UNITS.expensive],
    ['is that of the one asked for where that answered', 'cheap', { models }, UNITS.cheap],
    ['is the dearest where the answer names none of them', 'other', { models }, UNITS.expensive],
    ['is the dearest where the answer names nothing', undefined, { models }, UNITS.expensive],
    ['is not changed by a vendor that names another', 'expensive', {}, UNITS.cheap],
    ['is not changed by an empty list', 'expensive', { models: [] }, UNITS.cheap],
  ])('%s', async (_, model, fields, units) => {
    said = model
    const before = gateway.rows().length
    expect((await post({ ...fields, stream })).status).toBe(200)
    const [row] = await gateway.rowsWhen(before + 1)
    expect(row).toMatchObject({ model: 'cheap', quota: units })
  })
})

test('what is held back is what the dearest may cost', async () => {
  const poor = gateway.addToken({ unlimitedQuota: false, grantedQuota: 5000 }).full
  said = 'cheap'
  expect((await post({ max_tokens: 1000 }, poor)).status).toBe(200)
  const { status, text } = await post({ max_tokens: 1000, models: ['expensive'] }, poor)
  expect(status, text).toBe(403)
})

test('numbers in quotes are held back for as what they are', async () => {
  const poor = gateway.addToken({ unlimitedQuota: false, grantedQuota: 5000 }).full
  said = 'cheap'
  expect((await post({ max_tokens: '1000', n: '2' }, poor)).status).toBe(200)
  expect((await post({ max_tokens: '9000' }, poor)).status).toBe(403)
  expect((await post({ max_tokens: 1000, n: '9' }, poor)).status).toBe(403)
})

test('what an entry asks of its own model is held back: its limit, its answers, its prompt', async () => {
  const poor = gateway.addToken({ unlimitedQuota: false, grantedQuota: 5000 }).full
  said = 'cheap'
  const tryOut = async (entry: object, call: object = { max_tokens: 100 }) =>
    (await post({ ...call, fallbacks: [{ model: 'middle', ...entry }] }, poor)).status
  expect(await tryOut({})).toBe(200)
  expect(await tryOut({ max_tokens: 9000 })).toBe(403)
  expect(await tryOut({ max_completion_tokens: '9000' })).toBe(403)
  expect(await tryOut({ max_output_tokens: 9000 })).toBe(403)
  expect(await tryOut({ n: 90 })).toBe(403)
  expect(await tryOut({ max_tokens: 50 }, { max_tokens: 2600 })).toBe(403)
  expect(await tryOut({ max_tokens: 500, n: 2 }, { max_tokens: 10, n: 5 })).toBe(403)
  expect(await tryOut({ max_tokens: 100 }, {})).toBe(200)
  const deep = { fallbacks: [{ model: 'middle', max_tokens: 9000 }] }
  expect(await tryOut(deep)).toBe(403)
  const listed = { fallbacks: [{ cheap: [{ model: 'middle', max_tokens: 9000 }] }] }
  expect((await post({ max_tokens: 10, ...listed }, poor)).status).toBe(403)
  const long = [{ role: 'user', content: 'word '.repeat(30_000) }]
  expect(await tryOut({ messages: long })).toBe(403)
})

test.each([
  ['fallbacks[0].cheap[0].Model', [{ cheap: [{ model: 'cheap', Model: 'expensive' }] }]],
  ['fallbacks[0].Max_Tokens', [{ model: 'cheap', Max_Tokens: 9 }]],
  ['fallbacks[0].cheap[0].maxTokens', [{ cheap: [{ model: 'cheap', maxTokens: 9 }] }]],
  ['fallbacks[0].cheap[0].N', [{ cheap: [{ model: 'cheap', N: 9 }] }]],
  [
    'fallbacks[0].fallbacks[0].Fallbacks',
    [{ model: 'cheap', fallbacks: [{ model: 'cheap', Fallbacks: [] }] }],
  ],
  ['fallbacks[0].max_tokens', [{ model: 'cheap', max_tokens: 'many' }]],
  ['fallbacks[0].cheap[0].n', [{ cheap: [{ model: 'cheap', n: -1 }] }]],
  ['fallbacks[0].preset', [{ model: 'cheap', preset: 'mine' }]],
])('an entry that readers could take for another is refused: %s', async (param, fallbacks) => {
  for (const key of [gateway.key, limited]) {
    const { status, text } = await post({ fallbacks }, key)
    expect(status, text).toBe(400)
    expect(JSON.parse(text).error).toMatchObject({ code: 'invalid_request', param })
  }
})

test.each([
  ['fallbacks[0].fallbacks[0]', [{ model: 'cheap', fallbacks: ['expensive'] }]],
  ['fallbacks[0].models[0]', [{ cheap: [], model: 'cheap', models: ['expensive'] }]],
  ['fallbacks[0].cheap[0]', [{ cheap: ['expensive'], model: 'cheap' }]],
  [
    'fallbacks[0].cheap[0].fallbacks[0].model',
    [{ cheap: [{ model: 'cheap', fallbacks: [{ model: 'expensive' }] }] }],
  ],
  [
    'fallbacks[0].providerOptions.gateway.models[0]',
    [{ model: 'cheap', providerOptions: { gateway: { models: ['expensive'] } } }],
  ],
  [
    'fallbacks[0].tools[0].model',
    [{ model: 'cheap', tools: [{ type: 'advisor', model: 'expensive' }] }],
  ],
])('a model that an entry names in turn is looked at: %s', async (param, fallbacks) => {
  const { status, text } = await post({ fallbacks }, limited)
  expect(status, text).toBe(403)
  expect(JSON.parse(text).error).toMatchObject({ code: 'model_not_allowed', param })
})

test('a model that an entry names in turn has its name at the upstream', async () => {
  said = 'cheap'
  const fallbacks = [
    { model: 'cheap', fallbacks: ['middle'], stop: ['middle'], temperature: 1 },
    { cheap: [{ model: 'middle', providerOptions: { gateway: { models: ['middle'] } } }] },
  ]
  expect((await post({ fallbacks }, limited)).status).toBe(200)
  expect(upstream.last().json()).toMatchObject({
    fallbacks: [
      { model: 'cheap', fallbacks: ['vendor/middle'], stop: ['middle'], temperature: 1 },
      {
        cheap: [
          { model: 'vendor/middle', providerOptions: { gateway: { models: ['vendor/middle'] } } },
        ],
      },
    ],
  })
})
