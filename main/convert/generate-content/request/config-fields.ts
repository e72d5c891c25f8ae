import { asLimit } from '../../check/check-request.ts'
import type { AnswerLimits } from '../../codec.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { asArray, asObject, wordOf } from '../../json/json-value.ts'

/** `generationConfig`; Google takes both spellings of a name. */
const configOf = (body: JsonFields): Record<string, unknown> | undefined =>
  asObject(body.get('generationConfig')) ?? asObject(body.get('generation_config'))

export function answerLimits(body: JsonFields): AnswerLimits {
  const config = configOf(body)
  return {
    tokens: asLimit(config?.maxOutputTokens ?? config?.max_output_tokens),
    answers: Math.max(1, asLimit(config?.candidateCount ?? config?.candidate_count)),
  }
}

export function wantsSpeech(body: JsonFields): boolean {
  const config = configOf(body)
  const modalities = asArray(config?.responseModalities ?? config?.response_modalities)
  return modalities.map(wordOf).join().toUpperCase() === 'AUDIO'
}
