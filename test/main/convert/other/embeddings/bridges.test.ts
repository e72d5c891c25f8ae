import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { embeddingsBridges } from '../../../../../main/convert/other/embeddings/bridges.ts'
import {
  type EmbeddingsVendor,
  embeddingsVendors,
  tokensOf,
  vectorOf,
} from '../../../../support/strict/other/check-embeddings.ts'
import type { Json } from '../../../../support/strict/requests/refusal.ts'
import { carry, wayIn } from './carry.ts'

type VendorFormat = keyof typeof embeddingsVendors
type ClientFormat = 'embeddings' | 'embed-content' | 'batch-embed-contents'

const models: Readonly<Record<VendorFormat, string>> = {
  embeddings: 'text-embedding-3-small',
  'batch-embed-contents': 'gemini-embedding-001',
  'cohere-embed': 'embed-v4.0',
  'jina-embed': 'jina-embeddings-v3',
  'ollama-embed': 'nomic-embed-text',
}

/** Carries a body to the strict vendor of a format; `spoil` may change its answers. */
function embed(
  from: ClientFormat,
  to: VendorFormat,
  body: Json,
  { model = models[to], spoil = (answer: Json) => answer } = {},
) {
  const vendor: EmbeddingsVendor = embeddingsVendors[to]
  return carry(
    wayIn(embeddingsBridges, from, to),
    body,
    (sent) => {
      vendor.check(sent, model)
      return spoil(vendor.answer(sent))
    },
    { model },
  )
}

const others = ['batch-embed-contents', 'cohere-embed', 'jina-embed', 'ollama-embed'] as const
const vectorsOf = (json: Json) => (json.data as Json[]).map(({ embedding }) => embedding)
const textsFor = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`)

describe.each(others)('a client of /v1/embeddings at %s', (to) => {
  test('gets OpenAI’s shape, its vectors in order, and the tokens', () => {
    const input = ['a b', 'c', 'd e f']
    const { json, usage } = embed('embeddings', to, { model: 'asked-for', input })
    expect(json).toEqual({
      object: 'list',
      data: input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })),
      model: 'asked-for',
      usage: { prompt_tokens: 6, total_tokens: 6 },
    })
    expect(usage).toMatchObject({ input: 6, output: 0 })
  })

  test('gets base64 where it asks for it', () => {
    const body = { model: 'x', input: 'a', encoding_format: 'base64' }
    const [embedding] = vectorsOf(embed('embeddings', to, body).json)
    const bytes = Buffer.from(String(embedding), 'base64')
    expect([
      ...new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 16)),
    ]).toEqual(vectorOf('a'))
  })

  test('may ask for a length', () => {
    const { json } = embed('embeddings', to, { model: 'x', input: 'a', dimensions: 256 })
    expect(vectorsOf(json)).toEqual([vectorOf('a', 256)])
  })

  test('is told where the vendor gives another length than asked', () => {
    // As servers do that do not know the field.
    const ignoring = () => embeddingsVendors[to].answer(bodyWithoutLength[to])
    const body = { model: 'x', input: 'a', dimensions: 512 }
    expect(() => embed('embeddings', to, body, { spoil: ignoring })).toThrow(
      'vectors of 4 dimensions, where dimensions asks for 512',
    )
  })

  test('cannot send tokens', () => {
    const send = (input: unknown) => () => embed('embeddings', to, { model: 'x', input })
    expect(send([1, 2])).toThrow(/^input: this upstream reads no token arrays/)
    expect(send(['a', [1, 2]])).toThrow(/^input\[1\]: this upstream reads no token arrays/)
  })

  test('learns what did not come along', () => {
    const { losses, bodies } = embed('embeddings', to, {
      model: 'x',
      input: 'a',
      user: 'u',
      seed: 1,
    })
    expect(losses).toEqual(expect.arrayContaining(['dropped user', 'dropped seed']))
    expect(JSON.stringify(bodies)).not.toContain('seed')
  })

  test('gets an error where the vendor gives fewer vectors than it was sent texts', () => {
    const lose = (answer: Json) => {
      const { float } = (answer.embeddings ?? {}) as Json
      for (const list of [answer.data, answer.embeddings, float]) {
        if (Array.isArray(list)) list.pop()
      }
      return answer
    }
    const body = { model: 'x', input: ['a', 'b'] }
    expect(() => embed('embeddings', to, body, { spoil: lose })).toThrow(
      'has 1 embeddings for 2 inputs',
    )
  })

  test('gets the vendor’s words where an error came as a success', () => {
    const body = { model: 'x', input: 'a' }
    const spoil = () => ({ error: { message: 'model not loaded' } })
    expect(() => embed('embeddings', to, body, { spoil })).toThrow('model not loaded')
  })
})

const bodyWithoutLength: Readonly<Record<(typeof others)[number], Json>> = {
  'batch-embed-contents': { requests: [{ content: { parts: [{ text: 'a' }] } }] },
  'cohere-embed': { texts: ['a'] },
  'jina-embed': { input: ['a'] },
  'ollama-embed': { input: ['a'] },
}

describe('many inputs', () => {
  test.each([
    ['batch-embed-contents', [100, 100, 50]],
    ['cohere-embed', [96, 96, 58]],
    ['jina-embed', [250]],
    ['ollama-embed', [250]],
  ] as const)('go to %s in parts, and come back as one list', (to, parts) => {
    const input = textsFor(250)
    const { json, bodies, usage } = embed('embeddings', to, { model: 'x', input })
    const sizes = bodies.map((body) => ((body.requests ?? body.texts ?? body.input) as []).length)
    expect(sizes).toEqual(parts)
    expect(vectorsOf(json)).toEqual(input.map((text) => vectorOf(text)))
    expect((json.data as Json[]).map(({ index }) => index)).toEqual([...input.keys()])
    expect(usage?.input).toBe(tokensOf(input))
  })

  test('of any number keep their order', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 300 }), (input) => {
        const { json } = embed('embeddings', 'cohere-embed', { model: 'x', input })
        expect(vectorsOf(json)).toEqual(input.map((text) => vectorOf(text)))
      }),
      { numRuns: 30 },
    )
  })

  test('stay together where Jina is to read them as one text', () => {
    const send = (count: number) =>
      embed('embeddings', 'jina-embed', { input: textsFor(count), late_chunking: true })
    expect(send(512).bodies[0]).toMatchObject({ late_chunking: true })
    expect(() => send(513)).toThrow(/^late_chunking: is for 512 inputs at most/)
  })
})

describe('what the vectors are for', () => {
  test.each([
    ['cohere-embed', { input_type: 'search_query' }, { input_type: 'search_query' }, []],
    ['cohere-embed', { input_type: 'query' }, { input_type: 'search_query' }, []],
    ['cohere-embed', {}, { input_type: 'search_document' }, ['approximated input_type']],
    [
      'cohere-embed',
      { task_type: 'QUESTION_ANSWERING' },
      { input_type: 'search_query' },
      ['approximated task_type'],
    ],
    ['jina-embed', { task_type: 'RETRIEVAL_QUERY' }, { task: 'retrieval.query' }, []],
    ['jina-embed', { task: 'separation' }, { task: 'separation' }, []],
    ['jina-embed', { input_type: 'unheard-of' }, {}, ['dropped input_type']],
    ['ollama-embed', { input_type: 'search_query' }, {}, ['dropped input_type']],
  ] as const)('is told to %s in its own words: %j', (to, said, sent, losses) => {
    const carried = embed('embeddings', to, { model: 'x', input: 'a', ...said })
    expect(carried.bodies[0]).toMatchObject(sent)
    if (!('task' in sent)) expect(carried.bodies[0]).not.toHaveProperty('task')
    expect(carried.losses).toEqual(losses)
  })

  test('is told to Gemini with a document’s title', () => {
    const body = { model: 'x', input: 'a', input_type: 'document', title: 'T' }
    const { bodies, losses } = embed('embeddings', 'batch-embed-contents', body)
    expect(bodies[0]).toMatchObject({ requests: [{ taskType: 'RETRIEVAL_DOCUMENT', title: 'T' }] })
    expect(losses).toEqual([])
  })

  test('is not told to gemini-embedding-2, which does not read it', () => {
    const body = { model: 'x', input: 'a', task_type: 'CLUSTERING' }
    const options = { model: 'gemini-embedding-2-preview' }
    const { bodies, losses } = embed('embeddings', 'batch-embed-contents', body, options)
    expect(JSON.stringify(bodies)).not.toContain('taskType')
    expect(losses).toEqual(['dropped task_type'])
  })
})

describe('a length that the vendor cannot give', () => {
  test('is refused by name', () => {
    const send = (dimensions: number) => () =>
      embed(
        'embeddings',
        'cohere-embed',
        { input: 'a', dimensions },
        {
          model: 'embed-multilingual-v3.0',
          spoil: () => ({ embeddings: { float: [vectorOf('a', 1024)] } }),
        },
      )
    expect(send(512)).toThrow('dimensions: embed-multilingual-v3.0 gives 1024 dimensions only.')
    expect(send(1024)().bodies[0]).not.toHaveProperty('output_dimension')
    const newer = () => embed('embeddings', 'cohere-embed', { input: 'a', dimensions: 700 })
    expect(newer).toThrow('dimensions: embed-v4.0 gives 256, 512, 1024, 1536 dimensions only.')
  })

  test('is not cut away when a client of Voyage spells it in its own way', () => {
    const { json } = embed('embeddings', 'jina-embed', { input: 'a', output_dimension: 64 })
    expect(vectorsOf(json)).toEqual([vectorOf('a', 64)])
  })

  test('is no integer of bits', () => {
    const body = { input: 'a', output_dtype: 'int8' }
    expect(() => embed('embeddings', 'jina-embed', body)).toThrow(/^output_dtype: must be float/)
  })

  test('of gemini-embedding-001 is not normalised, which is noted', () => {
    const body = { input: 'a', dimensions: 768 }
    const { losses } = embed('embeddings', 'batch-embed-contents', body)
    expect(losses).toEqual(['approximated dimensions'])
  })
})

test('pictures go to Jina and nowhere else', () => {
  const input = [{ image: 'https://a.b/c.png' }, { text: 'a' }]
  expect(embed('embeddings', 'jina-embed', { input }).bodies[0]).toMatchObject({ input })
  expect(() => embed('embeddings', 'ollama-embed', { input })).toThrow(
    'input[0]: this upstream embeds text only.',
  )
})

test('a vendor that tells no usage is not taken to have used nothing', () => {
  const spoil = ({ usageMetadata: _, ...answer }: Json) => answer
  const body = { input: 'some words of a text' }
  const { usage, json, losses } = embed('embeddings', 'batch-embed-contents', body, { spoil })
  expect(usage).toBeNull()
  expect((json.usage as Json).prompt_tokens).toBeGreaterThan(0)
  expect(losses).toEqual(['approximated usage'])
})

test('vectors that come in another order are put in theirs', () => {
  const spoil = (answer: Json) => ({ ...answer, data: (answer.data as Json[]).toReversed() })
  const { json } = embed('embeddings', 'jina-embed', { input: ['a', 'b'] }, { spoil })
  expect(vectorsOf(json)).toEqual([vectorOf('a'), vectorOf('b')])
})

test('two vectors of one place are no answer', () => {
  const spoil = (answer: Json) => ({
    ...answer,
    data: (answer.data as Json[]).map((one) => ({ ...one, index: 0 })),
  })
  expect(() => embed('embeddings', 'jina-embed', { input: ['a', 'b'] }, { spoil })).toThrow(
    'two embeddings of the index 0',
  )
})
