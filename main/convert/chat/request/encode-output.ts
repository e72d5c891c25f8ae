import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest, OutputShape } from '../../exchange.ts'
import { stringifyExact } from '../../json/exact-json.ts'
import { describedSchema, fitsStrict } from '../../schema/json-schema.ts'
import { cleanedWithHash } from '../../tools/tool-ids.ts'

type Schema = Extract<OutputShape, { type: 'schema' }>

/** `response_format`, and a sentence for the system prompt where that cannot say it all. */
export interface EncodedOutput {
  format?: Record<string, unknown>
  sentence?: string
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const ONE_OBJECT = 'Answer with one JSON object only.'

const sentenceFor = (schema: Record<string, unknown>): string =>
  `${ONE_OBJECT} It must match this JSON Schema: ${stringifyExact(schema)}`

/** Other formats hold to a schema without being asked; here that is `strict`, where the schema allows it. */
function strictOf({ schema, strict }: Schema, request: ExchangeRequest, target: RequestTarget) {
  const { loss } = target
  if (request.origin === 'chat') return strict
  if (strict === false || request.origin === 'responses') {
    if (!strict || fitsStrict(schema)) return strict
  } else if (fitsStrict(schema)) return true
  loss.approximate(loss.field('output'), 'schema_guides')
  return false
}

function encodeSchema(output: Schema, request: ExchangeRequest, target: RequestTarget) {
  const strict = strictOf(output, request, target)
  const name = output.name ?? 'answer'
  return {
    type: 'json_schema',
    json_schema: {
      name: NAME.test(name) ? name : cleanedWithHash(name, 64),
      ...(output.description === undefined ? {} : { description: output.description }),
      schema: output.schema,
      ...(strict === undefined ? {} : { strict }),
    },
  }
}

const mentionsJson = ({ turns }: ExchangeRequest): boolean =>
  turns.some(({ parts }) => parts.some((part) => part.type === 'text' && /json/i.test(part.text)))

/**
 * The answer's shape. OpenAI refuses `json_object` unless the word JSON stands in a message
 * (https://platform.openai.com/docs/guides/structured-outputs#json-mode), which other formats do not ask.
 */
export function encodeOutput(request: ExchangeRequest, target: RequestTarget): EncodedOutput {
  const { output } = request
  const { rules, loss } = target
  if (!output) return {}
  const path = loss.field('output')
  const format = { type: 'json_object' }
  if (output.type === 'schema') {
    if (rules.structuredOutput) return { format: encodeSchema(output, request, target) }
    loss.approximate(path, 'schema_in_words')
    return {
      ...(rules.jsonObject ? { format } : {}),
      sentence: sentenceFor(describedSchema(output)),
    }
  }
  if (rules.jsonObject && (request.origin === 'chat' || mentionsJson(request))) return { format }
  loss.approximate(path, rules.jsonObject ? 'output_in_words_too' : 'output_in_words')
  return { ...(rules.jsonObject ? { format } : {}), sentence: ONE_OBJECT }
}
