import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type RerankStage,
  rerankVendorNames,
  startRerankStage,
} from '../../support/stages/rerank-stage.ts'

let stage: RerankStage

beforeAll(async () => {
  stage = await startRerankStage()
})
afterAll(() => stage.close())

const query = 'red wine'
const documents = ['a loaf of bread', 'a glass of red wine', 'a red car']
/** Index and score of each, the best first, as every vendor here ranks them. */
const ranked = [
  [1, 1],
  [2, 0.5],
  [0, 0],
]

/** The usage that each vendor reports, as the row has it. */
const told = {
  cohere: { promptTokens: 0, other: { search_units: 1 } },
  jina: { promptTokens: 21, other: {} },
  vllm: { promptTokens: 56, other: {} },
  voyage: { promptTokens: 17, other: {} },
  tei: { promptTokens: 0, other: { usage_unknown: true } },
} as const

/** In which format each vendor is called. */
const formats = {
  cohere: 'cohere-rerank',
  jina: 'rerank',
  vllm: 'rerank',
  voyage: 'voyage-rerank',
  tei: 'tei-rerank',
} as const

describe.each(rerankVendorNames)('a ranking of %s', (vendor) => {
  const model = `${vendor}-reranker`

  test('for Cohere’s client', async () => {
    const row = await stage.booked(async () => {
      const answer = await stage.clients.cohere.rerank({ model, query, documents })
      expect(answer.results.map((one) => [one.index, one.relevanceScore])).toEqual(ranked)
      expect(answer.results.some((one) => 'document' in one)).toBe(false)
      expect(answer.id).toEqual(expect.any(String))
      if (vendor === 'cohere') expect(answer.meta?.billedUnits?.searchUnits).toBe(1)
    })
    expect(stage.refusals(vendor)).toEqual([])
    expect(row).toMatchObject({ status: 200, type: 2, model, ...told[vendor] })
    expect(row.other.wire_format).toBe('cohere-rerank')
    const format = formats[vendor] === 'cohere-rerank' ? undefined : formats[vendor]
    expect(row.other.upstream_format).toBe(format)
  })

  test('for Cohere’s client of version 1, which wants its documents back', async () => {
    const row = await stage.booked(async () => {
      const answer = await stage.clients.cohereOld.rerank({
        model,
        query,
        documents: documents.map((text) => ({ text })),
        topN: 2,
        returnDocuments: true,
      })
      expect(answer.results).toMatchObject([
        { index: 1, relevanceScore: 1, document: { text: documents[1] } },
        { index: 2, relevanceScore: 0.5, document: { text: documents[2] } },
      ])
      expect(answer.results).toHaveLength(2)
    })
    expect(stage.refusals(vendor)).toEqual([])
    expect(row).toMatchObject({ status: 200, ...told[vendor] })
    expect(row.other.wire_format).toBe('rerank')
  })

  test.each(['/rerank', '/v1/rerank'])(
    'at %s, as clients of Jina and vLLM call it',
    async (path) => {
      const row = await stage.booked(async () => {
        const answer = await stage.post(path, { model, query, documents, top_n: 2 })
        expect(answer.status).toBe(200)
        const { results, usage } = await answer.json()
        expect(results).toMatchObject([
          { index: 1, relevance_score: 1 },
          { index: 2, relevance_score: 0.5 },
        ])
        expect(results).toHaveLength(2)
        const { promptTokens } = told[vendor]
        if (promptTokens > 0) expect(usage).toMatchObject({ total_tokens: promptTokens })
      })
      expect(stage.refusals(vendor)).toEqual([])
      expect(row).toMatchObject({ status: 200, ...told[vendor] })
    },
  )

  test('under another name of the model', async () => {
    const alias = `my-${vendor}`
    stage.addChannel(vendor, { models: [alias], modelMapping: { [alias]: model } })
    const { other } = await stage.booked(async () => {
      const { results } = await stage.clients.cohere.rerank({ model: alias, query, documents })
      expect(results).toHaveLength(3)
      const named = await stage.post('/v1/rerank', { model: alias, query, documents })
      const body = await named.json()
      if (body.model !== undefined) expect(body.model).toBe(alias)
    }, 2)
    expect(other).toMatchObject({ is_model_mapped: true, upstream_model_name: model })
    expect(stage.upstreams[vendor].last().body.toString()).not.toContain(alias)
  })
})

describe('more than a vendor takes', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `document ${at}`)

  test.each(['cohere', 'cohereOld'] as const)(
    'of Cohere, 10 000 documents, is said to the %s client before it is asked',
    async (client) => {
      const before = stage.upstreams.cohere.requests.length
      let thrown: unknown
      const row = await stage.booked(async () => {
        thrown = await stage.clients[client]
          .rerank({ model: 'cohere-reranker', query, documents: many(10_001) })
          .catch((error: unknown) => error)
      })
      expect(thrown).toMatchObject({ statusCode: 400 })
      expect(JSON.stringify((thrown as { body: unknown }).body)).toMatch(/at most 10000/)
      expect(row).toMatchObject({ status: 400, type: 5, quota: 0 })
      const asked = stage.upstreams.cohere.requests.length - before
      // A body in Cohere's own format is Cohere's own to refuse.
      expect(asked).toBe(client === 'cohere' ? 1 : 0)
    },
  )

  test.each([
    ['jina', 2049, 400],
    ['tei', 33, 422],
  ] as const)('of %s: %i documents are refused in its own words', async (vendor, count, status) => {
    let thrown: unknown
    const row = await stage.booked(async () => {
      thrown = await stage.clients.cohere
        .rerank({ model: `${vendor}-reranker`, query, documents: many(count) })
        .catch((error: unknown) => error)
    })
    expect(thrown).toMatchObject({ statusCode: status })
    const { message } = (thrown as { body: { message: string } }).body
    expect(message).toContain(String(count))
    expect(row).toMatchObject({ status, type: 5 })
  })
})

describe('what only some vendors know', () => {
  test('documents of more than text reach a vendor that is called so as they are', async () => {
    const documents = [{ text: 'a' }, { text: 'b', image: 'https://a.example/b.png' }]
    await stage.post('/v1/rerank', { model: 'jina-reranker', query, documents })
    expect(stage.upstreams.jina.last().json()).toMatchObject({ documents })
  })

  test.each(['[]', '"no"', '[{"results": []}]'])(
    'an answer of %s is the vendor’s fault, and nobody else’s',
    async (body) => {
      stage.upstreams.jina.script({ body, headers: { 'content-type': 'application/json' } })
      const row = await stage.booked(async () => {
        const asked = { model: 'jina-reranker', query, documents }
        expect((await stage.post('/v1/rerank', asked)).status).toBe(502)
      })
      expect(row).toMatchObject({ status: 502, type: 5 })
      expect(row.other.error_code).toBe('upstream_invalid')
    },
  )

  test('the fields to rank by become one text for a vendor of texts', async () => {
    const wines = [
      { title: 'bread', text: 'red wine' },
      { title: 'wine', colour: 'red', text: 'none' },
    ]
    const body = {
      model: 'cohere-reranker',
      query,
      documents: wines,
      rank_fields: ['title', 'colour'],
      return_documents: true,
    }
    const row = await stage.booked(async () => {
      const answer = await stage.post('/v1/rerank', body)
      expect(answer.headers.get('x-switchyard-loss')).toBe('approximated rank_fields')
      expect((await answer.json()).results).toMatchObject([
        { index: 1, relevance_score: 1, document: wines[1] },
        { index: 0, document: wines[0] },
      ])
    })
    expect(row.other.loss).toMatchObject([{ path: 'rank_fields', kind: 'approximated' }])
  })

  test('a picture among the texts is refused by its place', async () => {
    const documents = ['a', { image: 'https://a.example/b.png' }]
    const answer = await stage.post('/v1/rerank', { model: 'cohere-reranker', query, documents })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { param: 'documents[1].image', type: 'invalid_request_error' },
    })
  })

  test.each(['documents', 'query'])('%s left out is said by name', async (field) => {
    const { [field]: _, ...body } = { model: 'jina-reranker', query, documents } as Record<
      string,
      unknown
    >
    for (const path of ['/rerank', '/v1/rerank', '/v2/rerank']) {
      const answer = await stage.post(path, body)
      expect(answer.status).toBe(400)
      const said = await answer.json()
      expect(said.error).toMatchObject({ param: field })
      if (path === '/v2/rerank') expect(said.message).toContain(field)
    }
  })
})
