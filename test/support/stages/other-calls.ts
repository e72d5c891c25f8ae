import OpenAI from 'openai'
import { wavBytes } from '../clients/form-bytes.ts'
import { PNG } from '../strict/requests/refused-by.ts'
import type { Played } from './other-stage.ts'

/** One call of the OpenAI client that is no conversation. */
export interface OtherCall {
  /** `embeddings of cohere`. */
  name: string
  vendor: Played
  model: string
  path: string
  /** Goes as a form, with this as its file. */
  file?: Buffer
  /** Resolves when the whole answer is there. */
  run(client: OpenAI, model: string, options?: OpenAI.RequestOptions): Promise<unknown>
}

const recording = wavBytes(400_000)
const picture = Buffer.from(PNG, 'base64')
const sound = () => OpenAI.toFile(recording, 'speech.wav', { type: 'audio/wav' })
const image = () => OpenAI.toFile(picture, 'cat.png', { type: 'image/png' })
const prompt = 'A lighthouse at dusk.'

const endpoints: readonly (Pick<OtherCall, 'path' | 'run' | 'file'> & {
  models: readonly (readonly [Played, string])[]
})[] = [
  {
    path: '/v1/completions',
    models: [['openai', 'gpt-3.5-turbo-instruct']],
    run: (client, model, options) => client.completions.create({ model, prompt }, options),
  },
  {
    path: '/v1/embeddings',
    models: [
      ['openai', 'text-embedding-3-small'],
      ['google', 'gemini-embedding-001'],
      ['cohere', 'embed-v4.0'],
      ['jina', 'jina-embeddings-v3'],
      ['ollama', 'nomic-embed-text'],
    ],
    run: (client, model, options) => client.embeddings.create({ model, input: prompt }, options),
  },
  {
    path: '/v1/images/generations',
    models: [
      ['openai', 'gpt-image-1'],
      ['google', 'gemini-3.1-flash-image'],
    ],
    run: (client, model, options) => client.images.generate({ model, prompt }, options),
  },
  {
    path: '/v1/images/edits',
    file: picture,
    models: [
      ['openai', 'gpt-image-1'],
      ['google', 'gemini-3.1-flash-image'],
    ],
    run: async (client, model, options) =>
      client.images.edit({ model, prompt, image: await image() }, options),
  },
  {
    path: '/v1/images/variations',
    file: picture,
    models: [['openai', 'dall-e-2']],
    run: async (client, model, options) =>
      client.images.createVariation({ model, image: await image() }, options),
  },
  {
    path: '/v1/audio/transcriptions',
    file: recording,
    models: [
      ['openai', 'gpt-4o-transcribe'],
      ['google', 'gemini-3-flash'],
    ],
    run: async (client, model, options) =>
      client.audio.transcriptions.create({ model, file: await sound() }, options),
  },
  {
    path: '/v1/audio/translations',
    file: recording,
    models: [
      ['openai', 'whisper-1'],
      ['google', 'gemini-3-flash'],
    ],
    run: async (client, model, options) =>
      client.audio.translations.create({ model, file: await sound() }, options),
  },
  {
    path: '/v1/audio/speech',
    models: [
      ['openai', 'gpt-4o-mini-tts'],
      ['google', 'gemini-2.5-flash-preview-tts'],
    ],
    async run(client, model, options) {
      const asked = { model, input: prompt, voice: 'coral', response_format: 'pcm' } as const
      const answer = await client.audio.speech.create(asked, options)
      return answer.arrayBuffer()
    },
  },
]

/** Every endpoint at every vendor that serves it, natively or by conversion. */
export const otherCalls: readonly OtherCall[] = endpoints.flatMap(({ models, ...endpoint }) =>
  models.map(([vendor, model]) => ({
    ...endpoint,
    name: `${endpoint.path.slice('/v1/'.length)} of ${vendor}`,
    vendor,
    model,
  })),
)

/** A vendor's refusal in its own shape. */
export function refusalOf(vendor: Played, status: number, message: string): object {
  if (vendor === 'google') return { error: { code: status, message, status: 'ABORTED' } }
  if (vendor === 'cohere') return { id: 'c0ffee', message }
  if (vendor === 'jina') return { detail: message }
  if (vendor === 'ollama') return { error: message }
  return { error: { message, type: 'some_type', param: null, code: `c${status}` } }
}
