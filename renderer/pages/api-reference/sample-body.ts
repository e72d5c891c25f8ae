const messages = [{ role: 'user', content: 'Hello' }]
const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
const documents = ['Apples are red.', 'The sky is blue.']

type Sample = (model: string) => object

/** By the end of the path; what each wire format needs at least. */
const samples: readonly (readonly [end: string, sample: Sample])[] = [
  ['/chat/completions', (model) => ({ model, messages })],
  ['/messages/count_tokens', (model) => ({ model, messages })],
  ['/messages', (model) => ({ model, max_tokens: 256, messages })],
  ['/responses/input_tokens', (model) => ({ model, input: 'Hello' })],
  ['/responses', (model) => ({ model, input: 'Hello' })],
  ['/responses/compact', (model) => ({ model, input: [{ role: 'user', content: 'Hello' }] })],
  ['/completions', (model) => ({ model, prompt: 'Hello' })],
  ['/embeddings', (model) => ({ model, input: 'Hello' })],
  ['/images/generations', (model) => ({ model, prompt: 'A red apple' })],
  ['/audio/speech', (model) => ({ model, input: 'Hello', voice: 'alloy' })],
  ['/rerank', (model) => ({ model, query: 'What is red?', documents })],
  [':generateContent', () => ({ contents })],
  [':streamGenerateContent', () => ({ contents })],
  [':countTokens', () => ({ contents })],
  [':embedContent', () => ({ content: { parts: [{ text: 'Hello' }] } })],
  [
    ':batchEmbedContents',
    (model) => ({
      requests: [{ model: `models/${model}`, content: { parts: [{ text: 'Hello' }] } }],
    }),
  ],
]

/** A small request of a model call; null for other paths. */
export function sampleBody(path: string, model: string): object | null {
  if (path.startsWith('/api/') || path.startsWith('/pg/')) return null
  return samples.find(([end]) => path.endsWith(end))?.[1](model) ?? null
}
