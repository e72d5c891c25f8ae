import { describe, expect, test } from 'vitest'
import { rerankBridges } from '../../../../../main/convert/other/rerank/bridges.ts'
import { readFixture } from '../../../../support/recordings/fixtures.ts'
import { type RerankVendor, rerankVendors } from '../../../../support/strict/other/check-rerank.ts'
import type { Json } from '../../../../support/strict/requests/refusal.ts'
import { carry, wayIn } from '../embeddings/carry.ts'

type VendorName = keyof typeof rerankVendors
type ClientFormat = 'rerank' | 'cohere-rerank'

const formats = {
  cohere: 'cohere-rerank',
  jina: 'rerank',
  vllm: 'rerank',
  voyage: 'voyage-rerank',
  tei: 'tei-rerank',
} as const

function rank(from: ClientFormat, to: VendorName, body: Json, answer?: (sent: Json) => unknown) {
  const vendor: RerankVendor = rerankVendors[to]
  return carry(wayIn(rerankBridges, from, formats[to]), body, (sent) => {
    vendor.check(sent)
    return (answer ?? vendor.answer)(sent)
  })
}

const query = 'red wine'
const documents = ['a loaf of bread', 'a glass of red wine', 'a red car']
const right = [
  { index: 1, relevance_score: 1 },
  { index: 2, relevance_score: 0.5 },
  { index: 0, relevance_score: 0 },
]

const pairs: readonly (readonly [ClientFormat, VendorName])[] = [
  ['rerank', 'cohere'],
  ['rerank', 'tei'],
  ['rerank', 'voyage'],
  ['cohere-rerank', 'jina'],
  ['cohere-rerank', 'vllm'],
  ['cohere-rerank', 'tei'],
  ['cohere-rerank', 'voyage'],
]

describe.each(pairs)('a client of %s at %s', (from, to) => {
  test('gets the best first, with the places in its own list', () => {
    const { json, losses } = rank(from, to, { model: 'asked-for', query, documents })
    expect(json.results).toEqual(right)
    expect(typeof json.id).toBe('string')
    expect(json.model).toBe(from === 'rerank' ? 'asked-for' : undefined)
    expect(losses).toEqual([])
  })

  test('gets no more than it asks for', () => {
    const { json } = rank(from, to, { query, documents, top_n: 2 })
    expect(json.results).toEqual(right.slice(0, 2))
  })

  test('gets its documents back only where it asks for them', () => {
    const texts = { documents: ['bread', { text: 'red wine', year: 2020 }] }
    const { json } = rank(from, to, { query, ...texts, return_documents: true })
    expect(json.results).toEqual([
      { index: 1, relevance_score: 1, document: { text: 'red wine', year: 2020 } },
      { index: 0, relevance_score: 0, document: { text: 'bread' } },
    ])
  })

  test('ranks by the fields that it names', () => {
    const wines = [
      { title: 'bread', text: 'red wine' },
      { title: 'wine', colour: 'red', text: 'none' },
    ]
    const body = { query, documents: wines, rank_fields: ['title', 'colour'] }
    const { json, losses } = rank(from, to, body)
    expect(json.results).toMatchObject([{ index: 1, relevance_score: 1 }, { index: 0 }])
    expect(losses).toEqual(['approximated rank_fields'])
  })

  test.each([
    ['a picture', [{ text: 'a' }, { image: 'https://a.b/c.png' }], 'documents[1].image'],
    ['an object without text', [{ title: 'a' }], 'documents[0].text'],
    ['a number', ['a', 1], 'documents[1]'],
  ])('cannot send %s, and is told where it stands', (_, wrong, field) => {
    const send = () => rank(from, to, { query, documents: wrong })
    expect(send).toThrow(expect.objectContaining({ code: 'invalid_request', field }))
  })

  test('learns what did not come along', () => {
    const { losses, bodies } = rank(from, to, {
      query,
      documents,
      max_chunks_per_doc: 3,
      user: 'u',
    })
    expect(losses).toEqual(['dropped max_chunks_per_doc', 'dropped user'])
    expect(JSON.stringify(bodies)).not.toContain('max_chunks')
  })
})

describe('what a ranking used', () => {
  test('is told to a client of Jina in Cohere’s search units', () => {
    const { json, usage } = rank('rerank', 'cohere', { query, documents })
    expect(json.meta).toEqual({ billed_units: { search_units: 1 } })
    expect(json).not.toHaveProperty('usage')
    expect(usage).toMatchObject({ input: 0, detail: { searchUnits: 1 } })
  })

  test('is told to a client of Cohere in tokens', () => {
    const { json, usage } = rank('cohere-rerank', 'jina', { query, documents })
    expect(json.meta).toEqual({
      api_version: { version: '2' },
      billed_units: { input_tokens: 21 },
    })
    expect(json.usage).toEqual({ prompt_tokens: 21, total_tokens: 21 })
    expect(usage).toMatchObject({ input: 21 })
  })

  test('is not known of TEI', () => {
    const { json, usage } = rank('rerank', 'tei', { query, documents })
    expect(usage).toBeNull()
    expect(json).not.toHaveProperty('usage')
    expect(json).not.toHaveProperty('meta')
  })
})

describe('an answer', () => {
  const read = (answer: unknown) =>
    rank('cohere-rerank', 'jina', { query, documents }, () => answer)

  test('as Cohere gave it', () => {
    const recorded = JSON.parse(String(readFixture('rerank/cohere-v2.json'))) as Json
    const { json, usage } = rank('rerank', 'cohere', { query, documents }, () => recorded)
    expect(json.results).toEqual(recorded.results)
    expect(json.id).toBe(recorded.id)
    expect(usage?.detail).toEqual({ searchUnits: 1 })
  })

  test.each([
    [
      'of Voyage',
      {
        object: 'list',
        data: [
          { index: 0, relevance_score: 0.4 },
          { index: 2, relevance_score: 0.6 },
        ],
      },
    ],
    [
      'of TEI',
      [
        { index: 0, score: 0.4 },
        { index: 2, score: 0.6 },
      ],
    ],
    [
      'out of order',
      {
        results: [
          { index: 0, score: 0.4 },
          { index: 2, relevance_score: 0.6 },
        ],
      },
    ],
  ])('%s is read and sorted', (_, answer) => {
    expect(read(answer).json.results).toEqual([
      { index: 2, relevance_score: 0.6 },
      { index: 0, relevance_score: 0.4 },
    ])
  })

  test('keeps scores that are no share of one', () => {
    const results = [{ index: 1, relevance_score: -8.25 }]
    expect(read({ results }).json.results).toEqual(results)
  })

  test.each([
    ['a document that was not sent', { results: [{ index: 3, relevance_score: 1 }] }],
    ['no score', { results: [{ index: 0 }] }],
    [
      'a document twice',
      [
        { index: 0, score: 1 },
        { index: 0, score: 0 },
      ],
    ],
    ['no results', { usage: {} }],
    ['an error as a success', { code: 40001, msg: 'no such model' }],
  ])('with %s is none', (_, answer) => {
    expect(() => read(answer)).toThrow(expect.objectContaining({ code: 'upstream_invalid' }))
  })
})

test('more documents than Cohere takes are refused with the number', () => {
  const many = Array.from({ length: 10_001 }, () => 'a')
  expect(() => rank('rerank', 'cohere', { query, documents: many })).toThrow(
    'documents: at most 10000 documents at this upstream; 10001 were sent.',
  )
})

test('Cohere’s own wishes go to Cohere, and a long text is cut at TEI as Cohere cuts it', () => {
  const body = { query, documents, max_tokens_per_doc: 100, priority: 1 }
  expect(rank('rerank', 'cohere', body).bodies[0]).toMatchObject({
    max_tokens_per_doc: 100,
    priority: 1,
  })
  expect(rank('cohere-rerank', 'tei', { query, documents }).bodies[0]).toMatchObject({
    truncate: true,
  })
  expect(rank('rerank', 'tei', { query, documents }).bodies[0]).not.toHaveProperty('truncate')
})

test('a query in Jina’s object is its text; a picture is refused', () => {
  const { bodies } = rank('rerank', 'cohere', { query: { text: query }, documents })
  expect(bodies[0]).toMatchObject({ query })
  const send = () => rank('rerank', 'cohere', { query: { image: 'x' }, documents })
  expect(send).toThrow('query: must be a text for this upstream.')
})
