import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { vendorClients } from '../../support/clients/vendor-clients.ts'
import { sampleOf } from '../../support/every-case.ts'
import {
  type RerankStage,
  rerankVendorNames,
  startRerankStage,
} from '../../support/stages/rerank-stage.ts'
import { errorStatuses, statusSeen } from '../convert/error-statuses.ts'

let stage: RerankStage

beforeAll(async () => {
  stage = await startRerankStage()
})
afterAll(() => stage.close())

const query = 'red wine'
const documents = ['bread', 'red wine']
/** Each vendor’s own shape of an error. */
const said = {
  cohere: (message: string) => ({ id: 'c0ffee', message }),
  jina: (detail: string) => ({ detail }),
  vllm: (message: string) => ({
    error: { message, type: 'BadRequestError', param: null, code: 400 },
  }),
  voyage: (detail: string) => ({ detail }),
  tei: (error: string) => ({ error, error_type: 'Validation' }),
}

/** A client of each kind, and where it reads the message. */
const clients = {
  'Cohere’s client': (model: string) => stage.clients.cohere.rerank({ model, query, documents }),
  'Cohere’s old client': (model: string) =>
    stage.clients.cohereOld.rerank({ model, query, documents }),
}

describe.each(rerankVendorNames)('an error of %s', (vendor) => {
  const model = `${vendor}-reranker`

  const names = Object.keys(clients) as (keyof typeof clients)[]
  test.each(names)('as %s sees it', async (client) => {
    const turn = rerankVendorNames.indexOf(vendor) + names.indexOf(client)
    for (const status of sampleOf(errorStatuses, 3, turn)) {
      const message = `${vendor} says ${status}.`
      stage.upstreams[vendor].script({ status, body: said[vendor](message) })
      let thrown: unknown
      const row = await stage.booked(async () => {
        thrown = await clients[client](model).catch((error: unknown) => error)
      })
      const { statusCode, body } = thrown as { statusCode: number; body: unknown }
      const seen = statusSeen(status)
      const isOwn = row.other.upstream_format === undefined
      // Only Anthropic’s clients know 529.
      expect(statusCode).toBe(!isOwn && status === 529 ? 503 : seen)
      expect(JSON.stringify(body)).toContain(message)
      expect(row).toMatchObject({ status: statusCode, type: 5, quota: 0, promptTokens: 0 })
      expect(row.content).toContain(message)
    }
  })

  test('429 says when to come again', async () => {
    for (const path of ['/v1/rerank', '/v2/rerank']) {
      const headers = { 'retry-after': '7' }
      stage.upstreams[vendor].script({ status: 429, body: said[vendor]('Slow down.'), headers })
      const answer = await stage.post(path, { model, query, documents })
      expect(answer.status).toBe(429)
      expect(answer.headers.get('retry-after')).toBe('7')
    }
  })

  test('500 goes on to a second channel', async () => {
    const twice = `twice-${vendor}`
    for (const priority of [1, 2]) {
      stage.addChannel(vendor, { models: [twice], modelMapping: { [twice]: model }, priority })
    }
    for (const client of Object.values(clients)) {
      stage.upstreams[vendor].script({ status: 500, body: said[vendor]('Broken.') })
      const row = await stage.booked(async () => {
        expect((await client(twice)).results[0]).toMatchObject({ index: 1, relevanceScore: 1 })
      })
      expect(row.status).toBe(200)
      expect((row.other.admin_info as { use_channel: string[] }).use_channel).toHaveLength(2)
    }
  })

  test('a client that leaves ends the vendor’s call', async () => {
    for (const path of ['/v1/rerank', '/v2/rerank']) {
      stage.upstreams[vendor].script({ ending: 'hang-before-headers' })
      const before = stage.upstreams[vendor].requests.length
      const leaving = new AbortController()
      const row = await stage.booked(async () => {
        const asking = stage.post(path, { model, query, documents }, { signal: leaving.signal })
        asking.catch(() => {})
        while (stage.upstreams[vendor].requests.length === before) await sleep(5)
        leaving.abort()
        await expect(asking).rejects.toThrow()
        expect(await stage.upstreams[vendor].last().ended).toBe('gone')
      })
      expect(row).toMatchObject({ status: 499, promptTokens: 0, quota: 0 })
      expect(row.other.cancelled).toBe(true)
    }
  })
})

describe('an answer that is none', () => {
  test.each([
    ['a page', '<html><body>Welcome</body></html>'],
    ['nothing', ''],
    ['half an object', '{"results": [{"index"'],
  ])('%s becomes 502 for a client of another format', async (_, body) => {
    stage.upstreams.jina.script({ body, headers: { 'content-type': 'application/json' } })
    const asked = { model: 'jina-reranker', query, documents }
    const row = await stage.booked(async () => {
      await expect(stage.clients.cohere.rerank(asked)).rejects.toMatchObject({
        statusCode: 502,
        body: { id: expect.any(String), message: expect.any(String) },
      })
    })
    expect(row).toMatchObject({ status: 502, type: 5 })
  })

  test.each([
    ['a place that no document has', { index: 2, relevance_score: 1 }],
    ['no score', { index: 0 }],
  ])('%s', async (_, result) => {
    stage.upstreams.jina.script({ body: { results: [result] } })
    const asked = { model: 'jina-reranker', query, documents }
    await expect(stage.clients.cohere.rerank(asked)).rejects.toMatchObject({ statusCode: 502 })
  })

  test('an error in an answer with status 200', async () => {
    stage.upstreams.jina.script({ body: { detail: 'The model is away.' } })
    const asked = { model: 'jina-reranker', query, documents }
    await expect(stage.clients.cohere.rerank(asked)).rejects.toMatchObject({
      statusCode: 502,
      body: { message: expect.stringContaining('The model is away.') },
    })
  })
})

describe('a token', () => {
  test.each(['cohere', 'cohereOld'] as const)(
    'without quota is refused to the %s client before a vendor is asked',
    async (name) => {
      // By the search, which is what Cohere counts.
      stage.gateway.set({ UnitPrice: { 'cohere-reranker': { search: 0.002 } } })
      const { full } = stage.gateway.addToken({ unlimitedQuota: false, grantedQuota: 1000 })
      const client = vendorClients({ url: stage.gateway.url, key: full })[name]
      const asked = { model: 'cohere-reranker', query, documents }
      expect((await stage.booked(() => client.rerank(asked))).quota).toBe(1000)
      const before = stage.upstreams.cohere.requests.length
      const row = await stage.booked(async () => {
        const thrown = await client.rerank(asked).catch((error: unknown) => error)
        expect(thrown).toMatchObject({ statusCode: 401 })
        expect(JSON.stringify((thrown as { body: unknown }).body)).toContain('quota')
      })
      expect(row).toMatchObject({ status: 401, quota: 0 })
      expect(stage.upstreams.cohere.requests).toHaveLength(before)
    },
  )

  test('that nobody knows is refused as Cohere refuses one', async () => {
    const { cohere } = vendorClients({ url: stage.gateway.url, key: 'sk-unknown' })
    await expect(
      cohere.rerank({ model: 'cohere-reranker', query, documents }),
    ).rejects.toMatchObject({ statusCode: 401, body: { message: expect.any(String) } })
  })
})

test('a model whose channels do not rank is refused with what they serve', async () => {
  stage.gateway.addChannel({ type: 14, name: 'Claude', models: ['claude-model'] })
  const asked = { model: 'claude-model', query, documents }
  const row = await stage.booked(async () => {
    await expect(stage.clients.cohere.rerank(asked)).rejects.toMatchObject({
      statusCode: 400,
      body: { message: expect.stringMatching(/"Claude" serves anthropic.*jina-rerank/) },
    })
  })
  expect(row).toMatchObject({ status: 400, type: 5 })
})
