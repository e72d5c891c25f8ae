import { estimateTokens } from '../../base/estimate-tokens.ts'
import type { LocalRequest } from '../adaptor.ts'
import {
  type EchoAnswer,
  type EchoEndpoint,
  jsonAnswer,
  openaiRefusal,
  refuse,
} from './echo-endpoint.ts'
import type { Json } from './json-access.ts'
import { isTokens, readCount, readWord } from './read-field.ts'
import { MOST_DIMENSIONS, USUAL_DIMENSIONS, unitVector } from './reply/unit-vector.ts'

/** OpenAI's limit: https://platform.openai.com/docs/api-reference/embeddings/create */
const MOST_INPUTS = 2048
/** Numbers of all vectors: nothing else is served while they are written. */
const MOST_NUMBERS = 1024 * 1024

interface Input {
  text: string
  tokens: number
}

function inputOf(value: unknown, path: string): Input {
  if (isTokens(value)) return { text: value.join(' '), tokens: value.length }
  if (typeof value !== 'string' || value === '') {
    refuse(path, 'must be a string that is not empty, or a list of tokens')
  }
  return { text: value, tokens: estimateTokens(value) }
}

function readInputs({ input }: Json): Input[] {
  if (!Array.isArray(input) || isTokens(input)) return [inputOf(input, 'input')]
  if (input.length === 0) refuse('input', 'must not be empty')
  if (input.length > MOST_INPUTS) refuse('input', `must hold at most ${MOST_INPUTS} texts`)
  return input.map((one, index) => inputOf(one, `input[${index}]`))
}

/** Little-endian, four bytes a number. */
function asBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  vector.forEach((value, index) => {
    bytes.writeFloatLE(value, index * 4)
  })
  return bytes.toString('base64')
}

function answer({ body, model }: LocalRequest): EchoAnswer {
  const inputs = readInputs(body)
  const dimensions = readCount(body, 'dimensions', [1, MOST_DIMENSIONS]) ?? USUAL_DIMENSIONS
  if (inputs.length * dimensions > MOST_NUMBERS) {
    refuse(
      'dimensions',
      `must be at most ${Math.floor(MOST_NUMBERS / inputs.length)} for ${inputs.length} texts`,
    )
  }
  const encoding = readWord(body, 'encoding_format', ['float', 'base64'])
  const tokens = inputs.reduce((sum, input) => sum + input.tokens, 0)
  return jsonAnswer({
    object: 'list',
    data: inputs.map(({ text }, index) => {
      const vector = unitVector(text, dimensions)
      const embedding = encoding === 'base64' ? asBase64(vector) : [...vector]
      return { object: 'embedding', index, embedding }
    }),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  })
}

/** Echo's embeddings: https://platform.openai.com/docs/api-reference/embeddings */
export const embeddings: EchoEndpoint = { answer, refuse: openaiRefusal }
