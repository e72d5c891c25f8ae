import { recordedRequests } from '../support/recordings/recorded-exchanges.ts'
import { type Attack, Fault } from './fault.ts'
import { judge, send } from './judge.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutateJson } from './mutate-json.ts'
import { type Random, randomOf, seedOf } from './random.ts'
import type { Stage } from './stage.ts'
import { withTwin } from './twin-keys.ts'

/** Requests of calls that are no conversations, by their path. */
const otherRequests: readonly [string, object][] = [
  [
    '/v1/embeddings',
    { model: 'echo', input: ['one', 'two'], encoding_format: 'base64', dimensions: 8 },
  ],
  ['/v1/completions', { model: 'echo', prompt: 'Once', max_tokens: 5, logprobs: 1, echo: true }],
  ['/v1/images/generations', { model: 'echo', prompt: 'a dot', n: 1, size: '256x256' }],
  ['/v1/audio/speech', { model: 'echo', input: 'hi', voice: 'alloy', response_format: 'wav' }],
  ['/v1/rerank', { model: 'echo', query: 'hi', documents: ['a', { text: 'b' }], top_n: 1 }],
  ['/v2/rerank', { model: 'echo', query: 'hi', documents: ['a', 'b'], top_n: 1 }],
  ['/v1/responses/compact', { model: 'echo', input: 'hi' }],
  ['/v1/responses/input_tokens', { model: 'echo', input: 'hi' }],
  ['/v1/messages/count_tokens', { model: 'echo', messages: [{ role: 'user', content: 'hi' }] }],
  ['/v1beta/models/echo:countTokens', { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }],
  [
    '/v1beta/models/echo:batchEmbedContents',
    { requests: [{ model: 'models/echo', content: { parts: [{ text: 'hi' }] } }] },
  ],
]

const pathOf = (format: string, model: string): string =>
  ({
    chat: '/v1/chat/completions',
    messages: '/v1/messages',
    responses: '/v1/responses',
    'generate-content': `/v1beta/models/${model}:generateContent`,
  })[format] ?? '/v1/chat/completions'

/** Echo answers in the client's own format; the others' upstreams say 404 to what reaches them converted. */
const models = ['echo', 'echo', 'up-chat', 'up-responses', 'up-messages', 'up-generate-content']

function requestOf(random: Random): { path: string; body: unknown } {
  if (random.chance(0.3)) {
    const [path, body] = random.pick(otherRequests)
    return { path, body }
  }
  const { format, body } = random.pick(recordedRequests)
  const model = random.pick(models)
  return { path: pathOf(format, model), body: { ...(body as object), model } }
}

/** The text with one of its strings nested so deeply that a recursive parser overflows its stack. */
function deepened(text: string, random: Random): string {
  const depth = random.pick([1000, 5000, 50_000])
  const strings = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?!\s*:)/g)]
  const place = strings.length > 0 ? random.pick(strings) : null
  if (!place) return text
  const deep = '['.repeat(depth) + place[0] + ']'.repeat(depth)
  return text.slice(0, place.index) + deep + text.slice(place.index + place[0].length)
}

function bytesOf(value: unknown, random: Random): Buffer {
  const mutated = JSON.stringify(random.chance(0.8) ? mutateJson(value, random) : value) ?? ''
  const text = random.chance(0.01) ? deepened(mutated, random) : mutated
  return random.chance(0.25) ? mutateBytes(Buffer.from(text), random) : Buffer.from(text)
}

/** Bodies of model calls: recorded requests with fields missing, doubled, misplaced, of a wrong kind, broken bytes, or a key twice. */
export const attackBodies = (stage: Stage, run: number): Attack => ({
  name: 'bodies',
  share: 0.4,
  async run(index) {
    const random = randomOf(seedOf(run, 'bodies', index))
    const { path, body } = requestOf(random)
    const headers = {
      authorization: `Bearer ${stage.key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'x-fuzz': 'none',
    }
    const hasTwin = random.chance(0.15)
    const sent = hasTwin ? withTwin(body as object, random) : bytesOf(body, random)
    const heard = await send(stage.gateway.url + path, { method: 'POST', headers, body: sent })
    judge(heard)
    if (hasTwin && heard && heard.status < 400) {
      throw new Fault(`took a key twice, or one that looks like another: ${sent.slice(0, 300)}`)
    }
  },
})
