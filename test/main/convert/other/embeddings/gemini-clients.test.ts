import { describe, expect, test } from 'vitest'
import { embeddingsBridges } from '../../../../../main/convert/other/embeddings/bridges.ts'
import {
  type EmbeddingsVendor,
  embeddingsVendors,
  vectorOf,
} from '../../../../support/strict/other/check-embeddings.ts'
import type { Json } from '../../../../support/strict/requests/refusal.ts'
import { carry, wayIn } from './carry.ts'

type VendorFormat = Exclude<keyof typeof embeddingsVendors, 'batch-embed-contents'>
const vendors = ['embeddings', 'cohere-embed', 'jina-embed', 'ollama-embed'] as const

function embed(from: 'embed-content' | 'batch-embed-contents', to: VendorFormat, body: Json) {
  const vendor: EmbeddingsVendor = embeddingsVendors[to]
  const model = to === 'cohere-embed' ? 'embed-v4.0' : 'there'
  return carry(
    wayIn(embeddingsBridges, from, to),
    body,
    (sent) => {
      vendor.check(sent, model)
      return vendor.answer(sent)
    },
    { model },
  )
}

const content = (...texts: string[]) => ({ parts: texts.map((text) => ({ text })) })
const request = (text: string, more: Json = {}) => ({
  model: 'models/asked-for',
  content: content(text),
  ...more,
})

describe.each(vendors)('a client of Gemini at %s', (to) => {
  test('gets one embedding', () => {
    const { json, usage } = embed('embed-content', to, { content: content('a b') })
    const bare = { content: { parts: { text: 'a b' } } }
    expect(embed('embed-content', to, bare).json).toEqual(json)
    expect(json).toEqual({
      embedding: { values: vectorOf('a b') },
      usageMetadata: { promptTokenCount: 2 },
    })
    expect(usage).toMatchObject({ input: 2 })
  })

  test('gets a batch in its order', () => {
    const texts = Array.from({ length: 130 }, (_, index) => `text ${index}`)
    const body = { requests: texts.map((text) => request(text)) }
    const { json } = embed('batch-embed-contents', to, body)
    expect(json.embeddings).toEqual(texts.map((text) => ({ values: vectorOf(text) })))
  })

  test('gets each request of a batch in the length that it asks for', () => {
    const lengths = [256, 256, 512, undefined, 256]
    const body = {
      requests: lengths.map((outputDimensionality, index) =>
        request(`text ${index}`, outputDimensionality ? { outputDimensionality } : {}),
      ),
    }
    const { json, bodies } = embed('batch-embed-contents', to, body)
    expect(bodies).toHaveLength(4)
    expect(json.embeddings).toEqual(
      lengths.map((length, index) => ({ values: vectorOf(`text ${index}`, length) })),
    )
  })

  test('cannot send a picture, and is told where it stands', () => {
    const picture = { parts: [{ text: 'a' }, { inlineData: { mimeType: 'image/png', data: 'x' } }] }
    expect(() => embed('embed-content', to, { content: picture })).toThrow(
      'content.parts[1]: this upstream embeds text only.',
    )
    const requests = [request('a'), { content: picture }]
    expect(() => embed('batch-embed-contents', to, { requests })).toThrow(
      'requests[1].content.parts[1]: this upstream embeds text only.',
    )
  })
})

test.each([
  ['RETRIEVAL_QUERY', 'search_query', 'retrieval.query', []],
  ['CLUSTERING', 'clustering', 'separation', []],
  ['SEMANTIC_SIMILARITY', 'clustering', 'text-matching', ['approximated taskType']],
])('its task %s is said to Cohere as %s, to Jina as %s', (taskType, cohere, jina, losses) => {
  const body = { content: content('a'), taskType }
  const atCohere = embed('embed-content', 'cohere-embed', body)
  expect(atCohere.bodies[0]).toMatchObject({ input_type: cohere })
  expect(atCohere.losses).toEqual(losses)
  const atJina = embed('embed-content', 'jina-embed', body)
  expect(atJina.bodies[0]).toMatchObject({ task: jina })
  expect(atJina.losses).toEqual([])
})

test('no task is asked of OpenAI, which is noted once for the batch', () => {
  const more = { taskType: 'CLUSTERING', title: 'T' }
  const body = { requests: [request('a', more), request('b', more)] }
  const { bodies, losses } = embed('batch-embed-contents', 'embeddings', body)
  expect(bodies).toEqual([{ model: 'there', input: ['a', 'b'] }])
  expect(losses).toEqual([
    'dropped requests[0].taskType',
    'dropped requests[0].title',
    'dropped requests[1].title',
  ])
})

test('texts with tasks of their own go to Cohere in a call for each task', () => {
  const tasks = ['RETRIEVAL_QUERY', 'CLUSTERING', 'CLUSTERING']
  const requests = tasks.map((taskType, at) => request(String(at), { taskType }))
  const { bodies } = embed('batch-embed-contents', 'cohere-embed', { requests })
  expect(bodies).toMatchObject([
    { texts: ['0'], input_type: 'search_query' },
    { texts: ['1', '2'], input_type: 'clustering' },
  ])
})

test('the newer spelling of the wishes is read as well, in either case', () => {
  const body = {
    content: content('a', 'b'),
    embed_content_config: {
      task_type: 'CLUSTERING',
      outputDimensionality: 256,
      autoTruncate: true,
    },
  }
  const { bodies, losses } = embed('embed-content', 'cohere-embed', body)
  expect(bodies[0]).toMatchObject({
    texts: ['a\nb'],
    input_type: 'clustering',
    output_dimension: 256,
  })
  expect(losses).toEqual(['dropped embedContentConfig.autoTruncate', 'approximated content'])
})

test('a length that is none is refused at its path', () => {
  const body = { requests: [request('a', { outputDimensionality: 1.5 })] }
  expect(() => embed('batch-embed-contents', 'embeddings', body)).toThrow(
    'requests[0].outputDimensionality: must be a positive integer.',
  )
})

test('long texts go to OpenAI in as many calls as its limit of tokens asks for', () => {
  // About 8000 tokens each, of 300 000 that OpenAI takes at once.
  const texts = Array.from({ length: 80 }, (_, index) => `${index} ${'word '.repeat(6400)}`)
  const body = { requests: texts.map((text) => request(text)) }
  const { json, bodies } = embed('batch-embed-contents', 'embeddings', body)
  expect(bodies.map(({ input }) => (input as []).length)).toEqual([37, 37, 6])
  expect(json.embeddings).toEqual(texts.map((text) => ({ values: vectorOf(text) })))
})
