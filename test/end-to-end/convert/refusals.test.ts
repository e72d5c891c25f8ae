import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import { formats, type Stage, startStage } from '../../support/strict/loops/stage.ts'
import type { Json } from '../../support/strict/requests/refusal.ts'
import { PNG } from '../../support/strict/requests/refused-by.ts'
import {
  callPath,
  claudeUser,
  models,
  plainBody,
  refused,
} from '../../support/strict/requests/refused-requests.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())

/** Wire-formats 1.6: the client's own shape. */
function expectShape(format: WireFormat, body: Json, path: string): void {
  const error = body.error as Json
  expect(String(error.message)).toContain(path)
  if (format === 'messages') {
    expect(body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
  } else if (format === 'generate-content') {
    expect(error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' })
  } else {
    expect(error.type).toBe('invalid_request_error')
    expect(String(error.param)).toContain(path)
  }
}

describe('is refused before anything is sent', () => {
  test.each(refused)('%s, from %s to %s', async (_, format, model, more, path) => {
    const before = formats.map((one) => stage.upstreams[one].requests.length)
    const answer = await fetch(stage.gateway.url + callPath[format](model), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        authorization: `Bearer ${stage.gateway.key}`,
      },
      body: JSON.stringify({ model, ...plainBody[format], ...more }),
    })
    const text = await answer.text()
    expect(answer.status, text).toBe(400)
    expectShape(format, JSON.parse(text), path)
    expect(formats.map((one) => stage.upstreams[one].requests.length)).toEqual(before)
  })
})

test('an unknown previous answer has the code that clients look for', async () => {
  const answer = await fetch(`${stage.gateway.url}/v1/responses`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${stage.gateway.key}`,
    },
    body: JSON.stringify({ model: models.messages, input: 'Hi', previous_response_id: 'resp_x' }),
  })
  const { error } = (await answer.json()) as { error: Json }
  expect(answer.status).toBe(400)
  expect(error.code).toBe('previous_response_not_found')
})

test('a plain picture is taken by all', async () => {
  for (const model of Object.values(models)) {
    const answer = await fetch(`${stage.gateway.url}/v1/messages`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        authorization: `Bearer ${stage.gateway.key}`,
      },
      body: JSON.stringify({
        model,
        max_tokens: 100,
        ...claudeUser({
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: PNG },
        }),
      }),
    })
    expect(answer.status, await answer.text()).toBe(200)
  }
})

test('what was left out is told in a header', async () => {
  const answer = await fetch(`${stage.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${stage.gateway.key}`,
    },
    body: JSON.stringify({ model: models.messages, ...plainBody.chat, seed: 7, temperature: 0.2 }),
  })
  expect(answer.status, await answer.text()).toBe(200)
  const loss = answer.headers.get('x-switchyard-loss')
  expect(loss).toContain('seed')
  expect(loss).toContain('temperature')
})
