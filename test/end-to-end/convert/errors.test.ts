import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import { sampleOf } from '../../support/every-case.ts'
import { formats, modelsOf, type Stage, startStage } from '../../support/strict/loops/stage.ts'
import type { Json } from '../../support/strict/requests/refusal.ts'
import { errorStatuses } from './error-statuses.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())

/** Each status to each client by one of the three upstreams; `npm run every-case` and `matrix` have them all. */
const pairs = formats.flatMap((client, row) =>
  formats
    .filter((upstream) => upstream !== client)
    .map((upstream, column) => ({
      client,
      upstream,
      statuses: sampleOf(errorStatuses, 3, row + column),
    })),
)

const pathOf = (format: WireFormat, model: string, stream: boolean): string =>
  ({
    chat: '/v1/chat/completions',
    messages: '/v1/messages',
    responses: '/v1/responses',
    'generate-content': `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  })[format]

const bodyOf = (format: WireFormat, model: string, stream: boolean): Json =>
  ({
    chat: { model, stream, messages: [{ role: 'user', content: 'Hi' }] },
    messages: { model, stream, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
    responses: { model, stream, store: false, input: 'Hi' },
    'generate-content': { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  })[format]

const send = (client: WireFormat, upstream: WireFormat, stream: boolean) => {
  const model = modelsOf[upstream][0]
  return fetch(stage.gateway.url + pathOf(client, model, stream), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      authorization: `Bearer ${stage.gateway.key}`,
    },
    body: JSON.stringify(bodyOf(client, model, stream)),
  })
}

const sentence = (status: number) => `The vendor says ${status}.`

/** A vendor's error in its own shape. */
function vendorError(format: WireFormat, status: number): Json {
  const message = sentence(status)
  if (format === 'messages')
    return { type: 'error', error: { type: claudeTypes[status] ?? 'api_error', message } }
  if (format === 'generate-content') {
    return { error: { code: status, message, status: googleWords[status] ?? 'UNKNOWN' } }
  }
  return { error: { message, type: 'some_type', param: null, code: `c${status}` } }
}

const googleWords: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}
const claudeTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  402: 'billing_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** Google's words for the statuses that `vendorError` gives none. */
const wordsTold: Readonly<Record<number, string>> = {
  402: 'FAILED_PRECONDITION',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  422: 'INVALID_ARGUMENT',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
}
const openAiTypes: Readonly<Record<number, string>> = {
  402: 'insufficient_quota',
  408: 'timeout',
  429: 'rate_limit_error',
}

/** Wire-formats 1.6: what a client of another format is told. */
function statusTold(client: WireFormat, status: number): number {
  if (status === 401 || status === 403) return 502
  if (status === 529 && client !== 'messages') return 503
  if (status === 503 && client === 'messages') return 529
  return status
}

/** The status that a vendor's event names: Google's by number, Anthropic's by type, OpenAI's here not at all. */
function statusNamed(upstream: WireFormat, status: number): number {
  if (upstream === 'generate-content') return status
  if (upstream !== 'messages') return 502
  return status in claudeTypes ? status : 500
}

function expectShape(client: WireFormat, body: Json, told: number): void {
  const error = body.error as Json
  expect(typeof error.message).toBe('string')
  if (client === 'messages') {
    expect(body.type).toBe('error')
    const usual = told < 500 ? 'invalid_request_error' : 'api_error'
    expect(error.type).toBe(told === 408 ? 'timeout_error' : (claudeTypes[told] ?? usual))
  } else if (client === 'generate-content') {
    expect(error.code).toBe(told)
    expect(error.status).toBe(googleWords[told] ?? wordsTold[told])
  } else {
    expect(error.type).toBe(
      openAiTypes[told] ?? (told < 500 ? 'invalid_request_error' : 'server_error'),
    )
    expect(error).toHaveProperty('code')
    expect(error).toHaveProperty('param')
  }
}

describe.each(pairs)('a $client client on $upstream', ({ client, upstream, statuses }) => {
  test.each(statuses)('%i before the first byte', async (status) => {
    for (const stream of [false, true]) {
      stage.upstreams[upstream].script({ status, body: vendorError(upstream, status) })
      const answer = await send(client, upstream, stream)
      const text = await answer.text()
      const told = statusTold(client, status)
      expect(answer.status, text).toBe(told)
      expect(text).toContain(sentence(status))
      expectShape(client, JSON.parse(text), told)
    }
  })

  test.each(statuses)(
    '%i as the first event of a stream is the status that it names',
    async (status) => {
      stage.upstreams[upstream].script({ chunks: [errorEvent(upstream, status)] })
      const answer = await send(client, upstream, true)
      const text = await answer.text()
      expect(answer.status, text).toBe(statusTold(client, statusNamed(upstream, status)))
      expect(text).toContain(sentence(status))
    },
  )

  test('an error in the middle of a stream is the client’s own kind of event, and the last', async () => {
    const [first, ...rest] = await chunksOf(upstream)
    const half = rest.slice(0, Math.ceil(rest.length / 2))
    stage.upstreams[upstream].script({
      chunks: [String(first), ...half, errorEvent(upstream, 500)],
      pause: 5,
    })
    const answer = await send(client, upstream, true)
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect(text).toContain(sentence(500))
    expectBroken(client, text)
  })

  test('a stream that is cut does not end well', async () => {
    const chunks = await chunksOf(upstream)
    stage.upstreams[upstream].script({
      chunks: chunks.slice(0, Math.ceil(chunks.length / 2)),
      pause: 5,
      ending: 'cut',
    })
    const answer = await send(client, upstream, true)
    expectBroken(client, await answer.text().catch(() => ''))
  })

  test('a stream that only lacks its end does not end well either', async () => {
    const chunks = await chunksOf(upstream)
    stage.upstreams[upstream].script({ chunks: chunks.slice(0, Math.ceil(chunks.length / 2)) })
    const answer = await send(client, upstream, true)
    expectBroken(client, await answer.text().catch(() => ''))
  })

  test('an error inside a 200 is an error', async () => {
    stage.upstreams[upstream].script({ status: 200, body: vendorError(upstream, 500) })
    const answer = await send(client, upstream, false)
    const text = await answer.text()
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expectShape(client, JSON.parse(text), answer.status)
  })
})

/** The chunks of a good answer, as the strict upstream writes them. */
async function chunksOf(format: WireFormat): Promise<string[]> {
  const model = modelsOf[format][0]
  const answer = await fetch(stage.upstreams[format].url + pathOf(format, model, true), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(bodyOf(format, model, true)),
  })
  const text = await answer.text()
  return text.split(/(?<=\n\r?\n)/)
}

function errorEvent(format: WireFormat, status: number): string {
  const error = vendorError(format, status)
  if (format === 'messages') return `event: error\ndata: ${JSON.stringify(error)}\n\n`
  if (format !== 'responses') return `data: ${JSON.stringify(error)}\n\n`
  const { message, code } = error.error as Json
  const event = { type: 'error', sequence_number: 99, code, message, param: null, ...error }
  return `event: error\ndata: ${JSON.stringify(event)}\n\n`
}

/** The end of a stream that failed: the client's error event and no terminator behind it. */
function expectBroken(client: WireFormat, text: string): void {
  if (client === 'chat') {
    expect(text).toMatch(/data: \{"error":/)
    expect(text).not.toContain('[DONE]')
  } else if (client === 'messages') {
    expect(text).toContain('event: error')
    expect(text).not.toContain('event: message_stop')
  } else if (client === 'responses') {
    expect(text).toContain('event: response.failed')
    expect(text).not.toContain('event: response.completed')
  } else {
    expect(text).toMatch(/data: \{"error":/)
    expect(text).not.toContain('"finishReason":"STOP"')
  }
}
