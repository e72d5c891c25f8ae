import { estimateTokens } from '../../base/estimate-tokens.ts'
import type { LocalRequest } from '../adaptor.ts'
import {
  type EchoAnswer,
  type EchoEndpoint,
  googleRefusal,
  jsonAnswer,
  refuse,
} from './echo-endpoint.ts'
import { googleField, googleList } from './google-field.ts'
import { asArray, asObject, asText, type Json } from './json-access.ts'
import { readCount } from './read-field.ts'
import { MOST_DIMENSIONS, USUAL_DIMENSIONS, unitVector } from './reply/unit-vector.ts'

/** Google's limit of one batch. */
const MOST_REQUESTS = 100

interface Embedded {
  values: number[]
  tokens: number
}

function embed(request: Json, path: string): Embedded {
  const parts = googleList(asObject(request.content).parts)
  const text = parts.map((part) => asText(asObject(part).text)).join(' ')
  if (text.trim() === '') refuse(`${path}content`, 'must hold a part with text')
  const dimensions = readCount(
    { outputDimensionality: googleField(request, 'outputDimensionality') },
    'outputDimensionality',
    [1, MOST_DIMENSIONS],
  )
  return {
    values: [...unitVector(text, dimensions ?? USUAL_DIMENSIONS)],
    tokens: estimateTokens(text),
  }
}

/** https://ai.google.dev/api/embeddings#EmbeddingUsageMetadata */
function usageOf(embedded: readonly Embedded[]): Json {
  const tokenCount = embedded.reduce((sum, { tokens }) => sum + tokens, 0)
  return {
    promptTokenCount: tokenCount,
    promptTokenDetails: [{ modality: 'TEXT', tokenCount }],
  }
}

function answerOne({ body }: LocalRequest): EchoAnswer {
  const embedded = embed(body, '')
  return jsonAnswer({
    embedding: { values: embedded.values },
    usageMetadata: usageOf([embedded]),
  })
}

function answerBatch({ body }: LocalRequest): EchoAnswer {
  const requests = asArray(body.requests)
  if (requests.length === 0) refuse('requests', 'must be a list that is not empty')
  if (requests.length > MOST_REQUESTS) refuse('requests', `must hold at most ${MOST_REQUESTS}`)
  const embedded = requests.map((one, index) => embed(asObject(one), `requests[${index}].`))
  return jsonAnswer({
    embeddings: embedded.map(({ values }) => ({ values })),
    usageMetadata: usageOf(embedded),
  })
}

/** Echo's embedding of one content: https://ai.google.dev/api/embeddings#method:-models.embedcontent */
export const embedContent: EchoEndpoint = { answer: answerOne, refuse: googleRefusal }

/** The same for several: https://ai.google.dev/api/embeddings#method:-models.batchembedcontents */
export const batchEmbedContents: EchoEndpoint = { answer: answerBatch, refuse: googleRefusal }
