import type { JsonObject } from '../../json/json-value.ts'
import { asCount, asObject, asString } from '../../json/json-value.ts'
import type { Loss } from '../../loss.ts'
import type {
  EmbeddingInput,
  EmbeddingsClient,
  EmbeddingsRequest,
  RequestedTask,
  RequestedValue,
} from './exchange.ts'
import { readTask } from './tasks.ts'
import { toBase64 } from './vector.ts'

/** Where clients of several vendors say how they want their vectors, what for, and how long. */
const ENCODINGS = ['encoding_format', 'embedding_type', 'output_dtype']
const TASKS = ['input_type', 'task', 'task_type', 'taskType']
const DIMENSIONS = ['dimensions', 'output_dimension', 'outputDimensionality']

function encodingOf(body: JsonObject, loss: Loss): 'float' | 'base64' {
  let encoding: 'float' | 'base64' = 'float'
  for (const field of ENCODINGS) {
    const value = body[field] ?? 'float'
    if (value === 'base64') encoding = 'base64'
    else if (value !== 'float')
      loss.refuse(field, { code: 'must_be_either_here', values: ['float', 'base64'] })
  }
  return encoding
}

function taskOf(body: JsonObject): RequestedTask | undefined {
  const field = TASKS.find((name) => asString(body[name]))
  return field === undefined ? undefined : readTask(field, body[field] as string)
}

function dimensionsOf(body: JsonObject, loss: Loss): RequestedValue<number> | undefined {
  const at = DIMENSIONS.find((name) => body[name] !== undefined && body[name] !== null)
  if (at === undefined) return undefined
  const value = asCount(body[at])
  // Left out, it would change the vectors' length without a word.
  if (!value || !Number.isInteger(value)) return loss.refuse(at, 'must_be_positive_integer')
  return { at, value }
}

function inputOf(value: unknown, at: string, loss: Loss): EmbeddingInput {
  if (typeof value === 'string') return { at, text: value }
  if (Array.isArray(value) || typeof value === 'number') {
    loss.refuse(at, 'no_token_arrays')
  }
  const object = asObject(value)
  if (!object) return loss.refuse(at, 'must_be_string')
  return { at, text: asString(object.text) ?? null, object }
}

function inputsOf(input: unknown, loss: Loss): EmbeddingInput[] {
  if (!Array.isArray(input)) return [inputOf(input, 'input', loss)]
  if (input.length === 0) loss.refuse('input', 'must_hold_one_text')
  if (typeof input[0] === 'number') inputOf(input, 'input', loss)
  return input.map((value, index) => inputOf(value, `input[${index}]`, loss))
}

/** Fields of a request that are not for some vendors only. */
const KNOWN = new Set(['model', 'input', 'title', ...ENCODINGS, ...DIMENSIONS])

function decode(body: JsonObject, loss: Loss): EmbeddingsRequest {
  const task = taskOf(body)
  const title = asString(body.title)
  const dimensions = dimensionsOf(body, loss)
  const wishes = {
    ...(task && { task }),
    ...(title && { title: { at: 'title', value: title } }),
    ...(dimensions && { dimensions }),
  }
  const fields = Object.entries(body).filter(
    ([name, value]) => value !== null && !KNOWN.has(name) && name !== task?.at,
  )
  return {
    inputs: inputsOf(body.input, loss).map((input) => ({ ...input, ...wishes })),
    encoding: encodingOf(body, loss),
    fields: Object.fromEntries(fields),
  }
}

function encode(
  vectors: readonly number[][],
  tokens: number,
  { encoding }: EmbeddingsRequest,
  model: string,
): JsonObject {
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: encoding === 'base64' ? toBase64(vector) : vector,
    })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

/**
 * Clients of `/v1/embeddings`, with the fields that those of Cohere, Voyage, Jina and Gemini add to it:
 * https://platform.openai.com/docs/api-reference/embeddings
 */
export const embeddingsClient: EmbeddingsClient = { format: 'embeddings', decode, encode }
