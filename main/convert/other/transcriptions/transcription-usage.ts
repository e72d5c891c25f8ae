import type { Usage } from '../../exchange.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { asCount, asObject } from '../../json/json-value.ts'
import { inputUsage } from '../read-usage.ts'

/**
 * The usage in an answer or a last event: of `type` `tokens`, with the share of sound, or `duration`, in
 * seconds. Null where there is none.
 */
export function readTranscriptTokens(value: unknown): Usage | null {
  const usage = asObject(value)
  if (!usage) return null
  const seconds = asCount(usage.seconds)
  const inputAudio = asCount(asObject(usage.input_token_details)?.audio_tokens)
  const detail = {
    ...(seconds === undefined ? {} : { seconds }),
    ...(inputAudio ? { inputAudio } : {}),
  }
  const read = inputUsage(asCount(usage.input_tokens) ?? 0, detail)
  return { ...read, output: asCount(usage.output_tokens) ?? 0 }
}

/**
 * Usage of a whole answer in JSON: https://platform.openai.com/docs/api-reference/audio/json-object. Where it
 * has none, the length of the recording, which verbose answers tell.
 */
export function readTranscriptUsage(answer: JsonFields): Usage | null {
  const usage = readTranscriptTokens(answer.get('usage'))
  if (usage) return usage
  const seconds = asCount(answer.get('duration'))
  return seconds === undefined ? null : inputUsage(0, { seconds })
}
