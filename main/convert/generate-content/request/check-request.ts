import { refuse, requireTurns, wholeNumber } from '../../check/check-request.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, wordOf } from '../../json/json-value.ts'

const COUNTS: ReadonlySet<string> = new Set([
  'maxOutputTokens',
  'max_output_tokens',
  'candidateCount',
  'candidate_count',
])

function checkCounts(config: JsonObject): void {
  for (const [name, value] of Object.entries(config)) {
    if (!COUNTS.has(name) || value === null) continue
    if ((wholeNumber(value) ?? -1) < 0) {
      refuse(`generationConfig.${name}`, 'must_be_whole_number')
    }
  }
}

/** A voice is needed when audio is asked for (design §1.10); REST takes both spellings of a name. */
function checkAudio(config: JsonObject): void {
  const modalities = asArray(config.responseModalities ?? config.response_modalities)
  if (!modalities.some((modality) => wordOf(modality).toUpperCase() === 'AUDIO')) return
  const speech = asObject(config.speechConfig ?? config.speech_config)
  const hasVoice =
    speech?.voiceConfig ??
    speech?.voice_config ??
    speech?.multiSpeakerVoiceConfig ??
    speech?.multi_speaker_voice_config
  if (!hasVoice) {
    refuse('generationConfig.speechConfig.voiceConfig', 'voice_required')
  }
}

/** One turn may stand without its list. */
function requireContents(body: JsonFields): void {
  if (body.kind('contents') !== 'object') requireTurns(body, 'contents')
}

/** `contents` is needed, `generationConfig` only for audio. */
export function checkGenerateContentRequest(body: JsonFields): void {
  requireContents(body)
  const config = body.get('generationConfig') ?? body.get('generation_config')
  if (config === undefined || config === null) return
  const object = asObject(config)
  if (!object) refuse('generationConfig', 'must_be_object')
  checkCounts(object)
  checkAudio(object)
}

/** Token counting takes bare contents or a whole request: https://ai.google.dev/api/tokens */
export function checkGenerateContentCount(body: JsonFields): void {
  const names = ['generateContentRequest', 'generate_content_request']
  if (names.some((name) => body.kind(name) === 'object')) return
  if (body.kind('contents') === undefined) {
    refuse('contents', 'contents_required')
  }
  requireContents(body)
}
