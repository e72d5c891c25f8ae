import type { JsonObject } from '../../json/json-value.ts'
import { asObject, asString, wordOf } from '../../json/json-value.ts'
import { modelName } from '../../model/model-name.ts'
import type { BridgeRequest, BridgeTarget } from '../bridge.ts'
import { withoutLogs } from '../inline-turn.ts'
import { googleVoice, voiceList } from './voices.ts'

/** Forms of sound that need no encoder here. */
export type SpeechForm = 'pcm' | 'wav'

/** Fields that are heard, and one that says what another says. */
const HEARD = ['model', 'input', 'voice', 'response_format', 'stream_format', 'stream']

/**
 * Up to Gemini 3.1 the text is a prompt, with directions in it. Later models speak every word of it; what
 * directs them stands beside (https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/text-to-speech/migration-guide).
 */
const readsPrompt = (model: string): boolean => /^gemini-(?:2|3\.1)\b/.test(modelName(model))

/** The form that is asked for. Refuses those that would need an encoder, the vendor's default among them. */
export function speechForm({ body }: BridgeRequest, { loss }: BridgeTarget): SpeechForm {
  const form = body.response_format ?? undefined
  if (form === 'pcm' || form === 'wav') return form
  return loss.refuse(
    'response_format',
    form === undefined ? 'mp3_meant' : { code: 'must_be_pcm_or_wav', given: wordOf(form) },
  )
}

/** Are events asked for (`stream_format` sse), or plain sound? */
export function sendsEvents({ body }: BridgeRequest, { loss }: BridgeTarget): boolean {
  const format = body.stream_format ?? 'audio'
  if (format !== 'sse' && format !== 'audio')
    loss.refuse('stream_format', { code: 'must_be_either', values: ['audio', 'sse'] })
  return format === 'sse'
}

function voiceConfigOf(voice: unknown, { model, loss }: BridgeTarget): JsonObject {
  const id = asString(asObject(voice)?.id)
  const name = id ?? asString(voice) ?? ''
  // Voices that were made for one owner have ids, which the older models do not know.
  if ((id !== undefined || /^voice(?:key)?_/.test(name)) && !readsPrompt(model)) {
    return { voice: name }
  }
  const known = googleVoice(name)
  if (known === undefined) {
    return loss.refuse('voice', { code: 'must_be_known_voice', voices: voiceList(), given: name })
  }
  if (known.toLowerCase() !== name.toLowerCase()) {
    loss.approximate('voice', { code: 'spoken_by_nearest', voice: known })
  }
  return { prebuiltVoiceConfig: { voiceName: known } }
}

/** The part that holds what is spoken, and how. */
function partOf({ body }: BridgeRequest, { model, loss }: BridgeTarget): JsonObject {
  const text = asString(body.input) ?? ''
  const style = asString(body.instructions)
  if (!style) return { text }
  if (!readsPrompt(model)) return { text, speechMetadata: { style } }
  loss.approximate('instructions', 'manner_before_text')
  return { text: `### DIRECTOR'S NOTES\n${style}\n\n#### TRANSCRIPT\n${text}` }
}

/** A body of generateContent that asks a model of Google's to speak. */
export function encodeGoogleSpeech(
  request: BridgeRequest,
  target: BridgeTarget,
): readonly JsonObject[] {
  const { body } = request
  const { loss } = target
  speechForm(request, target)
  sendsEvents(request, target)
  const voiceConfig = voiceConfigOf(body.voice, target)
  for (const [field, value] of Object.entries(body)) {
    if (HEARD.includes(field) || field === 'instructions' || value === null) continue
    if (field === 'speed' && value === 1) continue
    loss.drop(field, 'model_has_no_setting')
  }
  return [
    {
      ...withoutLogs(target),
      contents: [{ role: 'user', parts: [partOf(request, target)] }],
      generationConfig: { responseModalities: ['AUDIO'], speechConfig: { voiceConfig } },
    },
  ]
}
