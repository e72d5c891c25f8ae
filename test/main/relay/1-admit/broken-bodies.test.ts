import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'

let gateway: TestGateway
let vendor: ScriptedUpstream

beforeAll(async () => {
  gateway = await startTestGateway()
  vendor = await startUpstream()
  gateway.addChannel({ type: 14, baseUrl: vendor.url, models: ['converted'] })
  gateway.addChannel({ type: 900, models: ['inside'] })
  gateway.addChannel({ baseUrl: vendor.url, models: ['broken'], modelMapping: { broken: 'other' } })
})
afterAll(() => Promise.all([gateway.close(), vendor.close()]))

const ask = async (model: string, content: string) => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: `{"model":"${model}","messages":[{"role":"user","content":"${content}"}]}`,
  })
  return { status: response.status, body: await response.json() }
}

/** Longer than what is parsed as soon as it comes. */
const long = 'x'.repeat(20_000)

test.each(['converted', 'inside'])(
  'a line break inside a string of a long body is the client’s own fault, where it is %s',
  async (model) => {
    const { status, body } = await ask(model, `${long}\nbroken`)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'invalid_json', type: 'invalid_request_error' })
    expect(body.error.message).toContain('not valid JSON')
    expect(vendor.requests).toHaveLength(0)
  },
)

test('a long answer that is broken inside is its vendor’s fault, not the client’s', async () => {
  const usage = `{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2,"note":"a\nb"}`
  const choice = `{"index":0,"message":{"role":"assistant","content":"${long}"},"finish_reason":"stop"}`
  const body = `{"id":"c","object":"chat.completion","model":"other","choices":[${choice}],"usage":${usage}}`
  vendor.script({ body, headers: { 'content-type': 'application/json' } })
  const answer = await ask('broken', 'hi')
  expect(answer.status).toBe(502)
  expect(answer.body.error.code).toBe('upstream_invalid')
})
