import {
  countFrom,
  demand,
  isObject,
  type Json,
  numberWithin,
  objectAt,
  objectsAt,
  oneOf,
  onlyFields,
  refuse,
  textAt,
} from '../requests/refusal.ts'

/** A vendor of embeddings as strict as the real one. */
export interface EmbeddingsVendor {
  /** Where it is called, without the host. */
  path(model: string): string
  /** Refuses what the vendor refuses; `model` is the one of the path, where that has one. */
  check(body: Json, model: string): void
  /** A right answer to a body that was taken. */
  answer(body: Json): Json
}

/** The vector that every vendor here gives a text: short, of its own, exact as float32. */
export function vectorOf(text: string, length = 4): number[] {
  let state = 7
  for (const character of text) state = (state * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return Array.from({ length }, (_, index) => ((state * (index + 3)) % 1024) / 1024 - 0.5)
}

/** Tokens that every vendor here counts in a text: its words. */
export const tokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.split(' ').length, 0)

function textsAt(value: unknown, path: string, most: number): string[] {
  if (!Array.isArray(value)) refuse(path, 'Input should be a valid list')
  demand(value.length > 0, path, 'List should have at least 1 item')
  demand(value.length <= most, path, `at most ${most} items can be in one batch`)
  return value.map((text, index) => textAt(text, `${path}[${index}]`))
}

/** A text of OpenAI's by its tokens' numbers. */
const isTokens = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every(Number.isInteger)

function inputsAt(value: unknown): void {
  if (Array.isArray(value) && isTokens(value[0])) {
    for (const [index, tokens] of value.entries()) {
      demand(isTokens(tokens), `input[${index}]`, 'Input should be a list of tokens')
    }
  } else textsAt(value, 'input', 2048)
}

const lengthAt = (value: unknown, path: string, least = 1): number | undefined =>
  value === undefined ? undefined : countFrom(value, path, least)

const TASK_TYPES =
  'RETRIEVAL_QUERY RETRIEVAL_DOCUMENT SEMANTIC_SIMILARITY CLASSIFICATION CLUSTERING QUESTION_ANSWERING FACT_VERIFICATION CODE_RETRIEVAL_QUERY'

function checkGemini(request: Json, path: string, model: string): void {
  onlyFields(request, path, 'model content taskType title outputDimensionality')
  demand(
    request.model === `models/${model}`,
    `${path}.model`,
    'model must be the model of the URL, as models/{model}',
  )
  const content = objectAt(request.content, `${path}.content`)
  onlyFields(content, `${path}.content`, 'parts role')
  const parts = objectsAt(content.parts, `${path}.content.parts`)
  demand(parts.length > 0, `${path}.content`, 'content is required')
  for (const part of parts) {
    onlyFields(part, `${path}.content.parts`, 'text')
    textAt(part.text, `${path}.content.parts.text`)
  }
  if (request.taskType !== undefined) oneOf(request.taskType, `${path}.taskType`, TASK_TYPES)
  demand(
    request.title === undefined || request.taskType === 'RETRIEVAL_DOCUMENT',
    `${path}.title`,
    'title is only for RETRIEVAL_DOCUMENT',
  )
  if (request.outputDimensionality !== undefined) {
    numberWithin(request.outputDimensionality, `${path}.outputDimensionality`, 1, 3072)
  }
}

const geminiText = (request: Json): string =>
  ((request.content as Json).parts as Json[]).map(({ text }) => text).join('\n')

const geminiVector = (request: Json): Json => ({
  values: vectorOf(geminiText(request), request.outputDimensionality as number | undefined),
})

const gemini: EmbeddingsVendor = {
  path: (model) => `/v1beta/models/${model}:batchEmbedContents`,
  check(body, model) {
    onlyFields(body, '', 'requests')
    const requests = objectsAt(body.requests, 'requests')
    demand(
      requests.length <= 100,
      'BatchEmbedContentsRequest.requests',
      'at most 100 requests can be in one batch',
    )
    for (const [index, request] of requests.entries()) {
      checkGemini(request, `requests[${index}]`, model)
    }
  },
  answer(body) {
    const requests = body.requests as Json[]
    return {
      embeddings: requests.map(geminiVector),
      usageMetadata: { promptTokenCount: tokensOf(requests.map(geminiText)) },
    }
  },
}

/** `/v1/embeddings` of OpenAI, with tokens, float and base64. */
const openai: EmbeddingsVendor = {
  path: () => '/v1/embeddings',
  check(body) {
    onlyFields(body, '', 'model input encoding_format dimensions user')
    textAt(body.model, 'model')
    if (typeof body.input !== 'string' && !isTokens(body.input)) inputsAt(body.input)
    if (body.encoding_format !== undefined) {
      oneOf(body.encoding_format, 'encoding_format', 'float base64')
    }
    lengthAt(body.dimensions, 'dimensions')
  },
  answer(body) {
    const inputs = isTokens(body.input) ? [body.input] : [body.input].flat()
    const texts = inputs.map((input) => (isTokens(input) ? input.join(' ') : String(input)))
    return {
      object: 'list',
      data: texts.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: vectorOf(text, body.dimensions as number | undefined),
      })),
      model: body.model,
      usage: { prompt_tokens: tokensOf(texts), total_tokens: tokensOf(texts) },
    }
  },
}

const JINA_TASKS = 'retrieval.query retrieval.passage text-matching classification separation'

const jina: EmbeddingsVendor = {
  path: () => '/v1/embeddings',
  check(body) {
    onlyFields(
      body,
      '',
      'model input embedding_type task dimensions normalized late_chunking truncate',
    )
    textAt(body.model, 'model')
    if (!Array.isArray(body.input)) refuse('input', 'Input should be a valid list')
    demand(body.input.length <= 512, 'input', 'Each input list can contain at most 512 items.')
    for (const [index, input] of body.input.entries()) {
      const isRight = typeof input === 'string' || (isObject(input) && (input.text ?? input.image))
      demand(isRight, `input[${index}]`, 'Input should be a text or an image')
    }
    if (body.task !== undefined) oneOf(body.task, 'task', JINA_TASKS)
    lengthAt(body.dimensions, 'dimensions')
  },
  answer(body) {
    const texts = (body.input as unknown[]).map((input) =>
      isObject(input) ? String(input.text ?? input.image) : String(input),
    )
    const data = texts.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: vectorOf(text, body.dimensions as number | undefined),
    }))
    return { model: body.model, object: 'list', usage: { total_tokens: tokensOf(texts) }, data }
  },
}

const cohere: EmbeddingsVendor = {
  path: () => '/v2/embed',
  check(body) {
    onlyFields(
      body,
      '',
      'model texts input_type embedding_types output_dimension truncate max_tokens priority',
    )
    const model = textAt(body.model, 'model')
    textsAt(body.texts, 'texts', 96)
    oneOf(body.input_type, 'input_type', 'search_document search_query classification clustering')
    demand(
      JSON.stringify(body.embedding_types) === '["float"]',
      'embedding_types',
      'this vendor gives floats only',
    )
    if (body.output_dimension === undefined) return
    demand(
      model.startsWith('embed-v4'),
      'output_dimension',
      'output_dimension is not supported by this model',
    )
    demand(
      [256, 512, 1024, 1536].includes(body.output_dimension as number),
      'output_dimension',
      'must be one of 256, 512, 1024, 1536',
    )
  },
  answer(body) {
    const texts = body.texts as string[]
    const length = body.output_dimension as number | undefined
    return {
      id: 'a1b2',
      texts,
      embeddings: { float: texts.map((text) => vectorOf(text, length)) },
      meta: {
        api_version: { version: '2' },
        billed_units: { input_tokens: tokensOf(texts) },
      },
      response_type: 'embeddings_by_type',
    }
  },
}

const ollama: EmbeddingsVendor = {
  path: () => '/api/embed',
  check(body) {
    onlyFields(body, '', 'model input truncate dimensions keep_alive options')
    textAt(body.model, 'model')
    textsAt(body.input, 'input', Number.POSITIVE_INFINITY)
    lengthAt(body.dimensions, 'dimensions')
  },
  answer(body) {
    const texts = body.input as string[]
    return {
      model: body.model,
      embeddings: texts.map((text) => vectorOf(text, body.dimensions as number | undefined)),
      total_duration: 14_143_917,
      load_duration: 1_019_500,
      prompt_eval_count: tokensOf(texts),
    }
  },
}

/** The vendors by the format in which they are called. */
export const embeddingsVendors = {
  embeddings: openai,
  'batch-embed-contents': gemini,
  'cohere-embed': cohere,
  'jina-embed': jina,
  'ollama-embed': ollama,
} satisfies Record<string, EmbeddingsVendor>

/** Gemini's `:embedContent`, which takes the fields of one request. */
export const embedContentVendor: EmbeddingsVendor = {
  path: (model) => `/v1beta/models/${model}:embedContent`,
  check: (body, model) => checkGemini({ model: `models/${model}`, ...body }, 'request', model),
  answer: (body) => ({
    embedding: geminiVector(body),
    usageMetadata: { promptTokenCount: tokensOf([geminiText(body)]) },
  }),
}
