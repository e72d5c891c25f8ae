import type { Usage, UsageDetail } from '../../exchange.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { asCount, asObject } from '../../json/json-value.ts'

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
  const known = usage ?? { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }
  return { ...known, detail: { ...known.detail, images } }
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
  return withImages(readImageTokens(answer.get('usage')), images)
}
