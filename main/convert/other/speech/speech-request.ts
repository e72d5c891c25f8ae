import { refuse } from '../../check/check-request.ts'
import type { Usage } from '../../exchange.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject, asString } from '../../json/json-value.ts'
import { inputUsage } from '../read-usage.ts'

/** Only what routing and accounting rest on: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export function checkSpeechRequest(body: JsonFields): void {
  const input = body.get('input')
  if (input === undefined || input === null) refuse('input', 'words_required')
  if (typeof input !== 'string') refuse('input', 'must_be_text')
  if (input.trim() === '') refuse('input', 'must_not_be_empty')
  const voice = body.get('voice')
  if (voice === undefined || voice === null) refuse('voice', 'voice_name_required')
  const name = asString(voice) ?? asString(asObject(voice)?.id)
  if (!name) refuse('voice', 'must_be_voice')
  const speed = body.get('speed')
  if (speed !== undefined && speed !== null && typeof speed !== 'number') {
    refuse('speed', 'must_be_number')
  }
}

/** Characters that are to be spoken, as vendors count them who sell speech by the character. */
function speechCharacters(body: Pick<JsonObject, 'input'>): number {
  let count = 0
  // Not by a list of them: nobody has looked yet whether the text is one that can be spoken.
  for (const _ of asString(body.input) ?? '') count++
  return count
}

/** Usage by the request for speech itself, where the vendor's answer is nothing but audio. */
export const spokenUsage = (body: Pick<JsonObject, 'input'>): Usage =>
  inputUsage(0, { characters: speechCharacters(body) })
