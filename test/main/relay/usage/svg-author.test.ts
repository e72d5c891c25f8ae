import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'

let gateway: TestGateway
let upstream: ScriptedUpstream
let limited: string

beforeAll(async () => {
  upstream = await startUpstream(() => reply)
  gateway = await startTestGateway()
  gateway.addChannel({
    baseUrl: upstream.url,
    models: ['painter', 'writer', 'other-writer'],
    modelMapping: { 'other-writer': 'gpt-writer' },
  })
  gateway.set({
    ModelRatio: { painter: 1, writer: 2, 'other-writer': 3 },
    CompletionRatio: { painter: 1, writer: 4, 'other-writer': 4 },
  })
  limited = gateway.addToken({
    ...{ name: 'limited', modelLimitsEnabled: true, modelLimits: ['painter', 'writer'] },
    modelAliases: { poet: 'other-writer', scribe: 'writer' },
  }).full
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const usage = { input_tokens: 10, output_tokens: 1000, total_tokens: 1010 }
const author = {
  ...{ model: 'gpt-writer', input_tokens: 2000, output_tokens: 300, reasoning_tokens: 100 },
  total_tokens: 2300,
}
const drawn = { created: 1, data: [{ b64_json: 'PHN2Zy8+' }], output_format: 'svg', usage }

let reply: Reply
beforeEach(() => {
  reply = { body: { ...drawn, svg_usage: author } }
})

const post = (body: BodyInit, key = gateway.key, path = 'generations') =>
  fetch(`${gateway.url}/v1/images/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    },
    body,
  })

const asked = (svg: unknown) =>
  JSON.stringify({ model: 'painter', prompt: 'A fox', output_format: 'svg', svg })

async function rowAfter(call: () => Promise<Response>) {
  const before = gateway.rows().length
  await (await call()).text()
  const [row] = await gateway.rowsWhen(before + 1)
  return row
}

const PICTURE = 10 + 1000

describe('the author of an SVG', () => {
  test('costs what its model does, beside the picture', async () => {
    const row = await rowAfter(() => post(asked({ model: 'writer' })))
    expect(row).toMatchObject({ promptTokens: 10, completionTokens: 1000, isUnpriced: false })
    expect(row?.quota).toBe(PICTURE + (2000 + 300 * 4) * 2)
    expect(JSON.parse(row?.other ?? '{}').beside).toMatchObject([{ models: ['writer'] }])
  })

  test('without a price makes the call one of unknown cost', async () => {
    const row = await rowAfter(() => post(asked(undefined)))
    expect(row).toMatchObject({ isUnpriced: true, quota: PICTURE })
  })

  test('has its tokens in all where its vendor counts reasoning apart', async () => {
    reply = { body: { ...drawn, svg_usage: { ...author, total_tokens: 2400 } } }
    const row = await rowAfter(() => post(asked({ model: 'writer' })))
    expect(row?.quota).toBe(PICTURE + (2000 + 400 * 4) * 2)
  })

  test('is charged where the picture itself has no usage', async () => {
    reply = { body: { ...drawn, usage: undefined, svg_usage: author } }
    const row = await rowAfter(() => post(asked({ model: 'writer' })))
    expect(row?.quota).toBe((2000 + 300 * 4) * 2)
  })

  test('goes by the name that its channel’s vendor knows', async () => {
    await (await post(asked({ model: 'other-writer', reasoning: { effort: 'low' } }))).text()
    const { svg } = JSON.parse(String(upstream.requests.at(-1)?.body))
    expect(svg).toEqual({ model: 'gpt-writer', reasoning: { effort: 'low' } })
  })

  test('goes by the name that its token has for it', async () => {
    await (await post(asked({ model: 'scribe' }), limited)).text()
    const { svg } = JSON.parse(String(upstream.requests.at(-1)?.body))
    expect(svg).toEqual({ model: 'writer' })
  })
})

function edit(author: string, field = 'svg[model]'): FormData {
  const form = new FormData()
  form.set('model', 'painter')
  form.set('prompt', 'A fox')
  form.set('image', new File([Buffer.from('89504e470d0a1a0a', 'hex')], 'a.png'))
  form.set(field, author)
  return form
}

describe('a token with a list of models', () => {
  test.each(['other-writer', 'poet'])('has no other author of an SVG: %s', async (model) => {
    const before = upstream.requests.length
    const answer = await post(asked({ model }), limited)
    expect(answer.status).toBe(403)
    const { error } = await answer.json()
    expect(error).toMatchObject({ code: 'model_not_allowed', param: 'svg.model' })
    expect(error.message).toContain('may not use the model "other-writer"')
    expect(upstream.requests).toHaveLength(before)
  })

  test.each([
    ['svg[model]', 'other-writer'],
    ['svg[model][]', 'other-writer'],
    ['svg', '{"model":"other-writer"}'],
  ])('has no other one in a form either, and its vendor gets none: %s', async (field, author) => {
    const before = upstream.requests.length
    const answer = await post(edit(author, field), limited, 'edits')
    expect(answer.status).toBe(403)
    const { error } = await answer.json()
    expect(error).toMatchObject({ code: 'model_not_allowed', param: field })
    expect(upstream.requests).toHaveLength(before)
  })

  test('may say in a form how the author reasons', async () => {
    const form = edit('writer')
    form.set('svg[reasoning][effort]', 'low')
    expect((await post(form, limited, 'edits')).status).toBe(200)
  })

  test('has those of its list, in JSON and in a form', async () => {
    const json = await post(asked({ model: 'writer' }), limited)
    const form = await post(edit('writer'), limited, 'edits')
    expect([json.status, form.status]).toEqual([200, 200])
    await Promise.all([json.text(), form.text()])
  })

  test.each([
    ['{"model":"painter","prompt":"A fox","svg":{"model":"writer","model":"other-writer"}}', 'svg'],
    ['{"model":"painter","prompt":"A fox","svg":{"Model":"other-writer"}}', 'svg.Model'],
    ['{"model":"painter","prompt":"A fox","SVG":{"model":"other-writer"}}', 'SVG'],
  ])('has none that two parsers read differently: %s', async (body, param) => {
    const answer = await post(body, limited)
    expect(answer.status).toBe(400)
    expect((await answer.json()).error).toMatchObject({ param })
  })
})
