import { ApiError } from '@google/genai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { vendorClients } from '../../support/clients/vendor-clients.ts'
import { type OtherStage, startOtherStage } from '../../support/stages/other-stage.ts'
import { vectorOf } from '../../support/strict/other/check-embeddings.ts'

let stage: OtherStage
let google: ReturnType<typeof vendorClients>['google']

beforeAll(async () => {
  stage = await startOtherStage()
  google = vendorClients(stage.gateway).google
})
afterAll(() => stage.close())

const texts = ['the first text', 'another one']

const vendors = [
  ['google', 'gemini-embedding-001', null],
  ['openai', 'text-embedding-3-small', 'embeddings'],
  ['cohere', 'embed-v4.0', 'cohere-embed'],
  ['jina', 'jina-embeddings-v3', 'jina-embed'],
  ['ollama', 'nomic-embed-text', 'ollama-embed'],
] as const

const post = (path: string, body: object) =>
  fetch(stage.gateway.url + path, {
    method: 'POST',
    headers: { 'x-goog-api-key': stage.gateway.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function thrownBy(run: () => Promise<unknown>): Promise<{
  error: ApiError
  said: { code: number; message: string; status: string; details?: unknown[] }
  row: Awaited<ReturnType<OtherStage['booked']>>
}> {
  let error: unknown
  const row = await stage.booked(async () => {
    error = await run().catch((thrown: unknown) => thrown)
  })
  expect(error).toBeInstanceOf(ApiError)
  return { error: error as ApiError, said: JSON.parse((error as ApiError).message).error, row }
}

describe.each(vendors)('Google’s client on embeddings of %s', (vendor, model, format) => {
  test.each([
    ['one content', texts.slice(0, 1)],
    ['several', texts],
  ])('%s', async (_, contents) => {
    const row = await stage.booked(async () => {
      const { embeddings } = await google.models.embedContent({ model, contents })
      expect(embeddings?.map(({ values }) => values)).toEqual(
        contents.map((text) => vectorOf(text)),
      )
    })
    expect(stage.upstreams[vendor].refusals).toEqual([])
    const promptTokens = contents.join(' ').split(' ').length
    expect(row).toMatchObject({ status: 200, type: 2, model, promptTokens, completionTokens: 0 })
    expect(row.other).toMatchObject({ wire_format: 'batch-embed-contents' })
    expect(row.other.upstream_format ?? null).toBe(format)
  })

  test.each(['v1beta', 'v1'])('a single one at /%s', async (version) => {
    const row = await stage.booked(async () => {
      const answer = await post(`/${version}/models/${model}:embedContent`, {
        content: { parts: [{ text: 'one text' }] },
      })
      expect(answer.status).toBe(200)
      expect(await answer.json()).toEqual({
        embedding: { values: vectorOf('one text') },
        usageMetadata: { promptTokenCount: 2 },
      })
    })
    expect(stage.upstreams[vendor].refusals).toEqual([])
    expect(row).toMatchObject({ promptTokens: 2 })
    expect(row.other).toMatchObject({ wire_format: 'embed-content' })
    expect(row.other.upstream_format ?? null).toBe(format)
  })

  test('of the length that is asked for', async () => {
    const { embeddings } = await google.models.embedContent({
      model,
      contents: texts,
      config: { outputDimensionality: 256 },
    })
    expect(embeddings?.map(({ values }) => values)).toEqual(
      texts.map((text) => vectorOf(text, 256)),
    )
  })

  test('under another name of the model', async () => {
    const alias = `google-${vendor}`
    stage.addChannel(vendor, { models: [alias], modelMapping: { [alias]: model } })
    const { other } = await stage.booked(() =>
      google.models.embedContent({ model: alias, contents: texts }),
    )
    expect(stage.upstreams[vendor].refusals).toEqual([])
    expect(stage.upstreams[vendor].last().body.toString()).not.toContain(alias)
    expect(other).toMatchObject({ is_model_mapped: true, upstream_model_name: model })
  })

  test('refused with 401: the channel’s key is at fault, not the client’s', async () => {
    stage.upstreams[vendor].script({ status: 401, body: { error: { message: 'No such key.' } } })
    const { error, said, row } = await thrownBy(() =>
      google.models.embedContent({ model, contents: texts }),
    )
    expect(error.status).toBe(502)
    expect(said).toMatchObject({ code: 502, status: 'UNAVAILABLE' })
    expect(said.message).toContain('No such key.')
    expect(row).toMatchObject({ status: 502, type: 5, quota: 0, promptTokens: 0 })
  })

  test('refused with 429: with the vendor’s words and when to come again', async () => {
    stage.upstreams[vendor].script({
      status: 429,
      body: { error: { message: 'Slow down.', code: 429 } },
      headers: { 'retry-after': '7' },
    })
    let retryAfter: string | null = null
    const row = await stage.booked(async () => {
      const answer = await post(`/v1beta/models/${model}:batchEmbedContents`, {
        requests: [{ model: `models/${model}`, content: { parts: [{ text: 'one' }] } }],
      })
      expect(answer.status).toBe(429)
      retryAfter = answer.headers.get('retry-after')
      const { error } = (await answer.json()) as { error: object }
      expect(error).toMatchObject({ code: 429, message: 'Slow down.' })
      // Google's own error passes through as it came; for other vendors the gateway adds Google's `details`.
      if (format !== null) expect(error).toMatchObject({ details: [{ retryDelay: '7s' }] })
    })
    expect(retryAfter).toBe('7')
    expect(row).toMatchObject({ status: 429, type: 5 })
  })

  test('comes from the second channel where the first fails', async () => {
    const name = `twice-${vendor}`
    for (const priority of [1, 2]) {
      stage.addChannel(vendor, { models: [name], modelMapping: { [name]: model }, priority })
    }
    const asked = stage.upstreams[vendor].requests.length
    stage.upstreams[vendor].script({ status: 500, body: { error: { message: 'Broken.' } } })
    const row = await stage.booked(async () => {
      const { embeddings } = await google.models.embedContent({ model: name, contents: texts })
      expect(embeddings).toHaveLength(2)
    })
    expect(stage.upstreams[vendor].requests.length - asked).toBe(2)
    expect(row).toMatchObject({ status: 200, promptTokens: 5 })
    expect((row.other.admin_info as { use_channel: string[] }).use_channel).toHaveLength(2)
  })

  test('ended by its client ends at the vendor', async () => {
    stage.upstreams[vendor].script({ ending: 'hang-before-headers' })
    const before = stage.upstreams[vendor].requests.length
    const leaving = new AbortController()
    const row = await stage.booked(async () => {
      const asking = google.models.embedContent({
        model,
        contents: texts,
        config: { abortSignal: leaving.signal },
      })
      asking.catch(() => {})
      while (stage.upstreams[vendor].requests.length === before) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      leaving.abort()
      await expect(asking).rejects.toThrow()
      expect(await stage.upstreams[vendor].last().ended).toBe('gone')
    })
    expect(row).toMatchObject({ status: 499, promptTokens: 0 })
    expect(row.other).toMatchObject({ cancelled: true })
  })
})

describe('what a text is for', () => {
  const ask = (model: string) =>
    post(`/v1beta/models/${model}:embedContent`, {
      content: { parts: [{ text: 'a' }] },
      task_type: 'RETRIEVAL_QUERY',
    })

  test.each([
    ['cohere', 'embed-v4.0', { input_type: 'search_query' }],
    ['jina', 'jina-embeddings-v3', { task: 'retrieval.query' }],
  ] as const)('is told to %s in its own word', async (vendor, model, told) => {
    const answer = await ask(model)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-switchyard-loss')).toBeNull()
    expect(stage.upstreams[vendor].last().json()).toMatchObject(told)
  })

  test.each(['text-embedding-3-small', 'nomic-embed-text'])(
    'is lost on %s, which the answer and the row say',
    async (model) => {
      const { other } = await stage.booked(async () => {
        const answer = await ask(model)
        expect(answer.headers.get('x-switchyard-loss')).toMatch(/dropped task_?[tT]ype/)
      })
      expect(other.loss).toMatchObject([{ kind: 'dropped' }])
    },
  )

  test('reaches Google as its client wrote it', async () => {
    await google.models.embedContent({
      model: 'gemini-embedding-001',
      contents: 'a',
      config: { taskType: 'RETRIEVAL_DOCUMENT', title: 'A book' },
    })
    expect(stage.upstreams.google.last().json()).toMatchObject({
      requests: [{ taskType: 'RETRIEVAL_DOCUMENT', title: 'A book' }],
    })
  })
})

describe('many contents', () => {
  const contents = Array.from({ length: 250 }, (_, at) => `text number ${at}`)

  test.each([
    ['cohere', 'embed-v4.0', 3],
    ['jina', 'jina-embeddings-v3', 1],
    ['openai', 'text-embedding-3-small', 1],
  ] as const)(
    'for %s keep their order, in %s by calls of its size',
    async (vendor, model, calls) => {
      const before = stage.upstreams[vendor].requests.length
      const row = await stage.booked(async () => {
        const { embeddings } = await google.models.embedContent({ model, contents })
        expect(embeddings?.map(({ values }) => values)).toEqual(
          contents.map((text) => vectorOf(text)),
        )
      })
      expect(stage.upstreams[vendor].requests.length - before).toBe(calls)
      expect(row.promptTokens).toBe(750)
    },
  )

  test('are given up together when their client leaves', async () => {
    const { cohere } = stage.upstreams
    const before = cohere.requests.length
    for (let call = 0; call < 3; call++) cohere.script({ ending: 'hang-before-headers' })
    const leaving = new AbortController()
    const row = await stage.booked(async () => {
      const config = { abortSignal: leaving.signal }
      const asking = google.models.embedContent({ model: 'embed-v4.0', contents, config })
      asking.catch(() => {})
      while (cohere.requests.length < before + 3) await new Promise((next) => setTimeout(next, 5))
      leaving.abort()
      await expect(asking).rejects.toThrow()
      const ends = cohere.requests.slice(before).map(({ ended }) => ended)
      expect(await Promise.all(ends)).toEqual(['gone', 'gone', 'gone'])
    })
    expect(row).toMatchObject({ status: 499 })
  })

  test('fail together where one call fails, and no other is left running', async () => {
    const { cohere } = stage.upstreams
    const before = cohere.requests.length
    cohere.script(
      { ending: 'hang-before-headers' },
      { status: 429, body: { message: 'Slow down.' }, headers: { 'retry-after': '9' }, delay: 50 },
      { ending: 'hang-before-headers' },
    )
    const { said, row } = await thrownBy(() =>
      google.models.embedContent({ model: 'embed-v4.0', contents }),
    )
    expect(said).toMatchObject({ code: 429, message: 'Slow down.' })
    expect(said.details).toMatchObject([{ retryDelay: '9s' }])
    expect(row).toMatchObject({ status: 429, promptTokens: 0 })
    const ends = await Promise.all(cohere.requests.slice(before).map(({ ended }) => ended))
    expect(ends.filter((end) => end === 'gone')).toHaveLength(2)
  })

  test('are Google’s own to refuse', async () => {
    const { said, row } = await thrownBy(() =>
      google.models.embedContent({ model: 'gemini-embedding-001', contents }),
    )
    expect(said).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' })
    expect(said.message).toContain('at most 100 requests')
    expect(row).toMatchObject({ status: 400, type: 5 })
  })
})

describe('what cannot be embedded elsewhere', () => {
  const model = 'text-embedding-3-small'

  test('a picture is refused by its place', async () => {
    const before = stage.upstreams.openai.requests.length
    const { said, row } = await thrownBy(() =>
      google.models.embedContent({
        model,
        contents: [
          { parts: [{ text: 'a' }] },
          { parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] },
        ],
      }),
    )
    expect(said).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' })
    expect(said.message).toContain('requests[1].content.parts[0]')
    expect(row.status).toBe(400)
    expect(stage.upstreams.openai.requests).toHaveLength(before)
  })

  test('a length that the vendor’s model cannot give', async () => {
    const { said } = await thrownBy(() =>
      google.models.embedContent({
        model: 'embed-english-v3.0',
        contents: 'a',
        config: { outputDimensionality: 512 },
      }),
    )
    expect(said.code).toBe(400)
    expect(said.message).toContain('outputDimensionality')
    expect(said.message).toContain('1024')
  })

  test('fewer vectors than texts are an answer that nobody may see', async () => {
    stage.upstreams.openai.script({
      body: { object: 'list', data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 1 } },
    })
    const { said, row } = await thrownBy(() =>
      google.models.embedContent({ model, contents: texts }),
    )
    expect(said).toMatchObject({ code: 502 })
    expect(row).toMatchObject({ status: 502, type: 5 })
  })
})

test('a token without quota is refused in Google’s shape, before any vendor is asked', async () => {
  stage.gateway.set({ ModelRatio: { 'gemini-embedding-001': 1 } })
  const clientWith = (grantedQuota: number) => {
    const { full } = stage.gateway.addToken({ unlimitedQuota: false, grantedQuota })
    return vendorClients({ url: stage.gateway.url, key: full }).google
  }
  const own = clientWith(0)
  const ask = { model: 'gemini-embedding-001', contents: texts }
  const row = await stage.booked(() => clientWith(1000).models.embedContent(ask))
  expect(row).toMatchObject({ quota: 5, promptTokens: 5 })
  const before = stage.upstreams.google.requests.length
  const { said, row: refused } = await thrownBy(() => own.models.embedContent(ask))
  expect(said).toMatchObject({ code: 401, status: 'UNAUTHENTICATED' })
  expect(said.message).toContain('quota')
  expect(refused).toMatchObject({ status: 401, quota: 0 })
  expect(stage.upstreams.google.requests).toHaveLength(before)
})
