import { expect, test } from 'vitest'
import type { Json } from '../requests/refusal.ts'
import { refusedBy } from '../requests/refused-by.ts'
import { embedContentVendor, embeddingsVendors } from './check-embeddings.ts'

const vendors = { ...embeddingsVendors, 'embed-content': embedContentVendor }
type Format = keyof typeof vendors

const content = { parts: [{ text: 'a' }] }
const request = { model: 'models/m', content }
const many = (count: number) => Array.from({ length: count }, () => 'a')
const cohere = {
  model: 'embed-v4.0',
  texts: ['a'],
  input_type: 'search_query',
  embedding_types: ['float'],
}

test.each<[Format, Json]>([
  ['embeddings', { model: 'm', input: 'a', encoding_format: 'base64', dimensions: 3 }],
  ['embeddings', { model: 'm', input: many(2048) }],
  ['batch-embed-contents', { requests: [{ ...request, taskType: 'CLUSTERING' }] }],
  ['embed-content', { content, outputDimensionality: 768 }],
  ['cohere-embed', { ...cohere, output_dimension: 256 }],
  ['jina-embed', { model: 'm', input: ['a', { image: 'x' }], task: 'text-matching' }],
  ['ollama-embed', { model: 'm', input: many(5000), truncate: false }],
])('%s takes %j', (format, body) => {
  expect(refusedBy(() => vendors[format].check(body, 'm'))).toBeNull()
})

test.each<[Format, Json, string]>([
  ['embeddings', { model: 'm', input: 'a', input_type: 'query' }, 'input_type'],
  ['embeddings', { model: 'm', input: many(2049) }, 'at most 2048'],
  ['embeddings', { model: 'm', input: 'a', dimensions: 0 }, 'dimensions'],
  ['batch-embed-contents', { requests: Array(101).fill(request) }, 'at most 100'],
  ['batch-embed-contents', { requests: [{ content }] }, 'model must be'],
  ['batch-embed-contents', { requests: [{ ...request, title: 'T' }] }, 'RETRIEVAL_DOCUMENT'],
  ['batch-embed-contents', { requests: [{ ...request, taskType: 'query' }] }, 'taskType'],
  ['embed-content', { model: 'models/other', content }, 'model must be'],
  ['cohere-embed', { ...cohere, input_type: undefined }, 'input_type'],
  ['cohere-embed', { ...cohere, texts: many(97) }, 'at most 96'],
  ['cohere-embed', { ...cohere, output_dimension: 300 }, '1536'],
  ['cohere-embed', { ...cohere, model: 'embed-english-v3.0', output_dimension: 256 }, 'model'],
  ['jina-embed', { model: 'm', input: many(513) }, 'at most 512'],
  ['jina-embed', { model: 'm', input: 'a' }, 'valid list'],
  ['jina-embed', { model: 'm', input: ['a'], encoding_format: 'float' }, 'encoding_format'],
  ['ollama-embed', { model: 'm', input: [[1]] }, 'input[0]'],
])('%s refuses %j', (format, body, sentence) => {
  expect(refusedBy(() => vendors[format].check(body, 'm'))).toContain(sentence)
})
