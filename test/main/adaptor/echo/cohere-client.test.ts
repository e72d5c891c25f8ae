import { CohereClientV2 } from 'cohere-ai'
import { describe, expect, test } from 'vitest'
import { serveEcho } from './echo-server.ts'

const url = await serveEcho()
const cohere = new CohereClientV2({ token: 'k', environment: url })

const query = 'red fox'
const documents = ['Prime numbers', 'The red fox', 'A fox, a hen and a goat', 'Red fox']

describe('a ranking', () => {
  test('is by shared words, with the documents’ own places and a search unit', async () => {
    const answer = await cohere.rerank({ model: 'echo', query, documents })
    expect(answer.results.map(({ index }) => index)).toEqual([3, 1, 2, 0])
    expect(answer.results[0]?.relevanceScore).toBe(1)
    expect(answer.results[3]?.relevanceScore).toBe(0)
    expect(answer.meta?.billedUnits?.searchUnits).toBe(1)
    const many = Array.from({ length: 101 }, (_, index) => `document ${index}`)
    const top = await cohere.rerank({ model: 'echo', query, documents: many, topN: 5 })
    expect(top.results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4])
    expect(top.meta?.billedUnits?.searchUnits).toBe(2)
  })

  test('in Jina’s shape has usage too, and the documents where they are asked for', async () => {
    const rank = async (more: object) => {
      const body = JSON.stringify({ model: 'echo', query, top_n: 1, ...more })
      const answer = await fetch(`${url}/v1/rerank`, { method: 'POST', body })
      return { status: answer.status, body: await answer.json() }
    }
    const objects = documents.map((text) => ({ text }))
    const { body } = await rank({ documents: objects, return_documents: true })
    expect(body).toMatchObject({
      model: 'echo',
      object: 'list',
      results: [{ index: 3, relevance_score: 1, document: { text: 'Red fox' } }],
      usage: { total_tokens: expect.any(Number) },
      meta: { billed_units: { search_units: 1 } },
    })
    const plain = await rank({ documents })
    expect(plain.body).toMatchObject({ results: [{ index: 3, relevance_score: 1 }] })
    expect(JSON.stringify(plain.body)).not.toContain('document"')
  })

  test('without documents is refused so that Cohere’s client understands it', async () => {
    await expect(cohere.rerank({ model: 'echo', query, documents: [] })).rejects.toMatchObject({
      statusCode: 400,
      body: { message: 'documents: must be a list that is not empty.' },
    })
  })
})
