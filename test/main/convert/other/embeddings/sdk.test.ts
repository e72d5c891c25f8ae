import { GoogleGenAI } from '@google/genai'
import { CohereClientV2 } from 'cohere-ai'
import OpenAI from 'openai'
import { afterEach, expect, test } from 'vitest'
import { embeddingsBridges } from '../../../../../main/convert/other/embeddings/bridges.ts'
import { fitEncoding } from '../../../../../main/convert/other/embeddings/fit-encoding.ts'
import { rerankBridges } from '../../../../../main/convert/other/rerank/bridges.ts'
import { embeddingsVendors, vectorOf } from '../../../../support/strict/other/check-embeddings.ts'
import { rerankVendors } from '../../../../support/strict/other/check-rerank.ts'
import type { Json } from '../../../../support/strict/requests/refusal.ts'
import {
  type ScriptedUpstream,
  startUpstream,
} from '../../../../support/upstreams/scripted-upstream.ts'
import { carry, wayIn } from './carry.ts'

let face: ScriptedUpstream | undefined
afterEach(() => face?.close())

/** Answers an SDK over HTTP with what the conversion makes of a vendor's answer. */
async function serve(answer: (body: Json) => Buffer): Promise<string> {
  face = await startUpstream((request) => ({
    body: answer(request.json() as Json),
    headers: { 'content-type': 'application/json' },
  }))
  return face.url
}

const openaiAt = (url: string) => new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })

test('OpenAI’s SDK, which asks for base64 unasked, reads Gemini’s vectors', async () => {
  const way = wayIn(embeddingsBridges, 'embeddings', 'batch-embed-contents')
  const url = await serve(
    (body) => carry(way, body, embeddingsVendors['batch-embed-contents'].answer).body,
  )
  const { data, usage } = await openaiAt(url).embeddings.create({ model: 'm', input: ['a', 'b c'] })
  expect(data.map(({ embedding }) => embedding)).toEqual([vectorOf('a'), vectorOf('b c')])
  expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 })
})

test('OpenAI’s SDK reads the vectors of a vendor that passes over its wish for base64', async () => {
  const url = await serve((body) => {
    const answer = Buffer.from(JSON.stringify(embeddingsVendors.embeddings.answer(body)))
    return fitEncoding(answer, body.encoding_format as 'base64') ?? answer
  })
  const { data } = await openaiAt(url).embeddings.create({ model: 'm', input: 'a', dimensions: 8 })
  expect(data[0]?.embedding).toEqual(vectorOf('a', 8))
})

test('Google’s SDK reads the vectors of an OpenAI-compatible vendor', async () => {
  const way = wayIn(embeddingsBridges, 'batch-embed-contents', 'embeddings')
  const baseUrl = await serve((body) => carry(way, body, embeddingsVendors.embeddings.answer).body)
  const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl } })
  const { embeddings } = await client.models.embedContent({
    model: 'm',
    contents: ['a', 'b'],
    config: { outputDimensionality: 8, taskType: 'RETRIEVAL_QUERY' },
  })
  expect(embeddings).toEqual([{ values: vectorOf('a', 8) }, { values: vectorOf('b', 8) }])
})

test('Cohere’s SDK reads the ranking of TEI', async () => {
  const way = wayIn(rerankBridges, 'cohere-rerank', 'tei-rerank')
  const url = await serve((body) => carry(way, body, rerankVendors.tei.answer).body)
  const client = new CohereClientV2({ token: 'k', environment: url })
  const documents = ['bread', 'red wine']
  const { results, meta } = await client.rerank({ model: 'm', query: 'wine', documents, topN: 1 })
  expect(results).toEqual([{ index: 1, relevanceScore: 1 }])
  expect(meta?.apiVersion?.version).toBe('2')
})
