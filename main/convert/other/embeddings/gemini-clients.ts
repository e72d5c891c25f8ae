import { camelFields, entriesOf } from '../../generate-content/wire-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asCount, asObject, asString } from '../../json/json-value.ts'
import type { Loss } from '../../loss.ts'
import type { EmbeddingInput, EmbeddingsClient } from './exchange.ts'
import { readTask } from './tasks.ts'

const KNOWN = new Set([
  'model',
  'content',
  'taskType',
  'title',
  'outputDimensionality',
  'embedContentConfig',
])

/** The texts of a content, each part a line. */
function textOf(content: unknown, at: string, loss: Loss): string {
  const object = asObject(content)
  const parts = entriesOf(object?.parts, `${at}.parts`)
  if (parts.length === 0) loss.refuse(`${at}.parts`, 'must_hold_text')
  const texts = parts.map(
    (part) => asString(asObject(part.value)?.text) ?? loss.refuse(part.at, 'embeds_text_only'),
  )
  if (texts.length > 1) loss.approximate(at, 'parts_become_lines')
  return texts.join('\n')
}

/** `prefix` is empty or ends in a dot. */
function inputOf(body: JsonObject, prefix: string, loss: Loss): EmbeddingInput {
  const outer = camelFields(body)
  const config = camelFields(asObject(outer.embedContentConfig) ?? {})
  const fields: JsonObject = { ...outer, ...config }
  // A field is named where the client wrote it.
  const pathOf = (name: string) =>
    `${prefix}${Object.hasOwn(config, name) ? 'embedContentConfig.' : ''}${name}`
  for (const [name, value] of Object.entries(fields)) {
    if (!KNOWN.has(name) && value !== null) loss.drop(pathOf(name), 'upstream_without_field')
  }
  const { taskType, title, outputDimensionality } = fields
  const dimensions = asCount(outputDimensionality)
  if (outputDimensionality != null && (!dimensions || !Number.isInteger(dimensions))) {
    loss.refuse(pathOf('outputDimensionality'), 'must_be_positive_integer')
  }
  const task = readTask(pathOf('taskType'), asString(taskType) ?? '')
  const name = asString(title)
  return {
    at: `${prefix}content`,
    text: textOf(fields.content, `${prefix}content`, loss),
    ...(task && { task }),
    ...(name && { title: { at: pathOf('title'), value: name } }),
    ...(dimensions && { dimensions: { at: pathOf('outputDimensionality'), value: dimensions } }),
  }
}

const usageMetadata = (tokens: number) => ({ usageMetadata: { promptTokenCount: tokens } })

/** Clients of Gemini's `:embedContent`: https://ai.google.dev/api/embeddings#method:-models.embedcontent */
export const embedContentClient: EmbeddingsClient = {
  format: 'embed-content',
  decode: (body, loss) => ({ inputs: [inputOf(body, '', loss)], encoding: 'float', fields: {} }),
  encode: ([values], tokens) => ({ embedding: { values }, ...usageMetadata(tokens) }),
}

/**
 * Clients of Gemini's `:batchEmbedContents`, which is all that Google's JavaScript SDK calls:
 * https://ai.google.dev/api/embeddings#method:-models.batchembedcontents
 */
export const batchEmbedContentsClient: EmbeddingsClient = {
  format: 'batch-embed-contents',
  decode(body, loss) {
    const { requests: given, ...rest } = body
    const requests = asArray(given)
    if (requests.length === 0) loss.refuse('requests', 'must_hold_request')
    for (const [name, value] of Object.entries(rest)) {
      if (name !== 'model' && value !== null) loss.drop(name, 'upstream_without_field')
    }
    const inputs = requests.map((one, index) =>
      inputOf(
        asObject(one) ?? loss.refuse(`requests[${index}]`, 'must_be_object'),
        `requests[${index}].`,
        loss,
      ),
    )
    return { inputs, encoding: 'float', fields: {} }
  },
  encode: (vectors, tokens) => ({
    embeddings: vectors.map((values) => ({ values })),
    ...usageMetadata(tokens),
  }),
}
