import { expect, test } from 'vitest'
import type { Json } from '../requests/refusal.ts'
import { refusedBy } from '../requests/refused-by.ts'
import { rerankVendors } from './check-rerank.ts'

type Name = keyof typeof rerankVendors

const base = { model: 'm', query: 'a', documents: ['b'] }
const texts = (count: number) => Array.from({ length: count }, () => 'b')

test.each<[Name, Json]>([
  ['cohere', { ...base, top_n: 3, max_tokens_per_doc: 10 }],
  ['jina', { ...base, documents: [{ text: 'b' }], return_documents: false }],
  ['vllm', { ...base, top_n: 0, anything: true }],
  ['tei', { query: 'a', texts: texts(32), truncate: true }],
])('%s takes %j', (name, body) => {
  expect(refusedBy(() => rerankVendors[name].check(body))).toBeNull()
})

test.each<[Name, Json, string]>([
  ['cohere', { ...base, documents: [{ text: 'b' }] }, 'documents[0]'],
  ['cohere', { ...base, documents: texts(10_001) }, 'at most 10000'],
  ['cohere', { ...base, return_documents: true }, 'return_documents'],
  ['jina', { ...base, documents: [{ title: 'b' }] }, 'documents[0].text'],
  ['jina', { ...base, max_tokens_per_doc: 10 }, 'max_tokens_per_doc'],
  ['vllm', { ...base, documents: [{ text: 'b' }] }, 'documents[0]'],
  ['tei', { query: 'a', documents: ['b'] }, 'documents'],
  ['tei', { query: 'a', texts: texts(33) }, 'batch size 33'],
])('%s refuses %j', (name, body, sentence) => {
  expect(refusedBy(() => rerankVendors[name].check(body))).toContain(sentence)
})
