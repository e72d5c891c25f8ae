import type { ExchangeRequest, Part, RequestField, TextPart } from '../../exchange.ts'
import { decodeRequest } from '../../generate-content/request/decode-request.ts'
import { fieldNames } from '../../generate-content/request/field-names.ts'
import { camelFields } from '../../generate-content/wire-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject, asString } from '../../json/json-value.ts'
import type { Loss } from '../../loss.ts'
import type { BridgeRequest, BridgeTarget } from '../bridge.ts'
import { openaiVoice } from './voices.ts'

const SPEECH = 'generationConfig.speechConfig'

/** Fields that have no meaning for speech. */
const LEFT_OUT: readonly RequestField[] = [
  'tools',
  'toolChoice',
  'reasoning',
  'output',
  'maxOutput',
  'temperature',
  'topP',
  'topK',
  'stop',
  'count',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'logprobs',
  'serviceTier',
  'store',
]

function textOf(part: Part, loss: Loss): TextPart {
  if (part.type === 'text') return part
  return loss.refuse(part.at ?? 'contents', 'must_be_words')
}

/** How a part is to be spoken (`speechMetadata`), and what else of it has no place. */
function styleOf({ native, at = 'contents' }: TextPart, loss: Loss): string | undefined {
  for (const [name, value] of Object.entries(native?.fields ?? {})) {
    if (name !== 'speechMetadata') {
      loss.drop(`${at}.${name}`, 'upstream_without_field')
      continue
    }
    const { speaker, style } = camelFields(asObject(value) ?? {})
    if (speaker !== undefined) {
      loss.refuse(`${at}.speechMetadata.speaker`, 'one_voice')
    }
    return asString(style)
  }
  return undefined
}

/** The name of OpenAI's voice for `speechConfig`; names that are none of Google's go on as they are. */
function voiceOf(value: unknown, loss: Loss): string {
  const speech = camelFields(asObject(value) ?? {})
  if (speech.multiSpeakerVoiceConfig !== undefined) {
    loss.refuse(`${SPEECH}.multiSpeakerVoiceConfig`, 'one_voice')
  }
  for (const name of Object.keys(speech)) {
    if (name !== 'voiceConfig') loss.drop(`${SPEECH}.${name}`, 'upstream_without_field')
  }
  const config = camelFields(asObject(speech.voiceConfig) ?? {})
  const prebuilt = camelFields(asObject(config.prebuiltVoiceConfig) ?? {})
  const name = asString(prebuilt.voiceName) ?? asString(config.voice)
  if (!name) {
    return loss.refuse(`${SPEECH}.voiceConfig`, 'must_name_voice')
  }
  const voice = openaiVoice(name)
  if (voice === undefined) return name
  loss.approximate(`${SPEECH}.voiceConfig`, { code: 'spoken_by', name, voice })
  return voice
}

/** Notes, or refuses, what of the request has no place at `/v1/audio/speech`; gives its `speechConfig`. */
function speechConfigOf(fields: JsonObject, loss: Loss): unknown {
  for (const name of Object.keys(fields)) {
    if (name === 'cachedContent' || name === 'continuationToken') {
      loss.refuse(name, 'text_at_google')
    }
    if (name !== SPEECH) loss.drop(name, 'upstream_without_field')
  }
  return fields[SPEECH]
}

/** Text to speak: the user's turns. */
export const spokenText = ({ turns }: ExchangeRequest): string =>
  turns
    .filter(({ role }) => role === 'user')
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
    .join('\n')

/** A request of Gemini's for AUDIO as one of OpenAI's: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export function encodeOpenaiSpeech(
  { body }: BridgeRequest,
  { model, loss }: BridgeTarget,
): JsonObject {
  const request = decodeRequest(body)
  const voice = voiceOf(speechConfigOf(request.native?.fields ?? {}, loss), loss)
  for (const field of LEFT_OUT) {
    const value = request[field]
    const isSent = Array.isArray(value) ? value.length > 0 : value !== undefined
    if (isSent) loss.drop(fieldNames[field] ?? field, 'upstream_without_field')
  }
  if (request.modalities?.some((modality) => modality !== 'audio')) {
    loss.drop(fieldNames.modalities ?? 'modalities', 'audio_alone')
  }
  const instructions = new Set<string>()
  for (const { role, parts, at } of request.turns) {
    if (role !== 'user' && role !== 'system') {
      loss.refuse(at ?? 'contents', 'must_be_user_turn')
    }
    for (const part of parts) {
      const text = textOf(part, loss)
      const style = styleOf(text, loss)
      if (style) instructions.add(style)
      if (role === 'system') instructions.add(text.text)
    }
  }
  const input = spokenText(request)
  if (input.trim() === '') loss.refuse('contents', 'must_hold_words')
  if (instructions.size > 1) {
    loss.approximate('contents', 'manner_of_all')
  }
  return {
    model,
    input,
    voice,
    ...(instructions.size > 0 ? { instructions: [...instructions].join('\n') } : {}),
    response_format: 'pcm',
  }
}
