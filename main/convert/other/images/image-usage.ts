import type { Usage, UsageDetail } from '../../exchange.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { asCount, asObject, asString } from '../../json/json-value.ts'

const NOTHING: Usage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }

/** The usage that stands in an answer or a last event, with its share of pictures; null where none does. */
export function readImageTokens(value: unknown): Usage | null {
  const usage = asObject(value)
  if (!usage) return null
  const inputDetails = asObject(usage.input_tokens_details)
  const inputImage = asCount(inputDetails?.image_tokens)
  const outputImage = asCount(asObject(usage.output_tokens_details)?.image_tokens)
  const detail: UsageDetail = {
    ...(inputImage ? { inputImage } : {}),
    ...(outputImage ? { outputImage } : {}),
  }
  return {
    input: asCount(usage.input_tokens) ?? 0,
    cachedInput: asCount(inputDetails?.cached_tokens) ?? 0,
    cacheWrite: 0,
    output: asCount(usage.output_tokens) ?? 0,
    reasoning: 0,
    ...(Object.keys(detail).length > 0 ? { detail } : {}),
  }
}

/** A usage with the number of pictures that were made, which some vendors sell by the piece. */
export function withImages(usage: Usage | null, images: number): Usage | null {
  if (images === 0) return usage
  const known = usage ?? NOTHING
  return { ...known, detail: { ...known.detail, images } }
}

/**
 * With what the author of an SVG used, by its model: `usage` leaves it out (`ImagesResponse.SvgUsage` of OpenAI's SDK
 * 7.59).
 */
function withAuthor(usage: Usage | null, value: unknown): Usage | null {
  const told = asObject(value)
  if (!told) return usage
  const [input = 0, output = 0] = [asCount(told.input_tokens), asCount(told.output_tokens)]
  const author: Usage = {
    ...{ input, cachedInput: 0, cacheWrite: 0, reasoning: asCount(told.reasoning_tokens) ?? 0 },
    output: Math.max(output, (asCount(told.total_tokens) ?? 0) - input),
  }
  return { ...(usage ?? NOTHING), others: [{ model: asString(told.model) ?? '', usage: author }] }
}

function countOf(bytes: Buffer, needle: string): number {
  let count = 0
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + needle.length)) {
    count++
  }
  return count
}

/**
 * Usage of a whole answer: https://platform.openai.com/docs/api-reference/images/object. Its pictures are
 * counted by their keys, because to parse them would mean megabytes of text.
 */
export function readImageUsage(answer: JsonFields): Usage | null {
  const bytes = answer.kind('data') === 'array' ? answer.bytes : Buffer.alloc(0)
  const images = Math.max(countOf(bytes, '"b64_json"'), countOf(bytes, '"url"'))
  const usage = withAuthor(readImageTokens(answer.get('usage')), answer.get('svg_usage'))
  return withImages(usage, images)
}
