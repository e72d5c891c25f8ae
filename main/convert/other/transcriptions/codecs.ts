import { encodeChatError, encodeChatStreamError } from '../../chat/error.ts'
import { KeyGuard } from '../../check/guarded-keys.ts'
import type { Codec, FormRule } from '../../codec.ts'
import type { EventForm } from '../../events/event-form.ts'
import { EventScanner } from '../../events/event-scanner.ts'
import type { Usage } from '../../exchange.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { asCount, asObject, asString } from '../../json/json-value.ts'
import { eventForm, hasType } from '../event-form.ts'
import { numberIn, onceIn, requireFormSwitch } from '../form-fields.ts'
import { inputUsage } from '../read-usage.ts'

/**
 * The usage in an answer or a last event: of `type` `tokens`, with the share of sound, or `duration`, in
 * seconds. Mistral tells Chat's counts and `prompt_audio_seconds` (https://docs.mistral.ai/api).
 * Null where none of them can be read.
 */
function readTranscriptTokens(value: unknown): Usage | null {
  const usage = asObject(value)
  if (!usage) return null
  const seconds = asCount(usage.seconds) ?? asCount(usage.prompt_audio_seconds)
  const inputAudio = asCount(asObject(usage.input_token_details)?.audio_tokens)
  const detail = {
    ...(seconds === undefined ? {} : { seconds }),
    ...(inputAudio ? { inputAudio } : {}),
  }
  const input = asCount(usage.input_tokens) ?? asCount(usage.prompt_tokens)
  const output = asCount(usage.output_tokens) ?? asCount(usage.completion_tokens)
  if (seconds === undefined && input === undefined && output === undefined) return null
  return { ...inputUsage(input ?? 0, detail), output: output ?? 0 }
}

/**
 * Usage of a whole answer in JSON: https://platform.openai.com/docs/api-reference/audio/json-object. Where it
 * has none, the length of the recording, which verbose answers tell.
 */
function readTranscriptUsage(answer: JsonFields): Usage | null {
  const usage = readTranscriptTokens(answer.get('usage'))
  if (usage) return usage
  const seconds = asCount(answer.get('duration'))
  return seconds === undefined ? null : inputUsage(0, { seconds })
}

/** Only what routing and accounting rest on: https://platform.openai.com/docs/api-reference/audio/createTranscription */
const transcriptionForm: FormRule = {
  orJson: false,
  files: ['file'],
  check(fields) {
    for (const name of ['response_format', 'language', 'prompt']) onceIn(fields, name)
    numberIn(fields, 'temperature')
    requireFormSwitch(fields, 'stream')
  },
}

const OPENAI_END = 'transcript.text.done'
const MISTRAL_END = 'transcription.done'

/** OpenAI's deltas are called so; Mistral's have a `text`, as its last event has too. */
function readText(event: unknown): string {
  const { type, delta, text } = asObject(event) ?? {}
  return asString(delta) ?? (type === 'transcription.text.delta' ? (asString(text) ?? '') : '')
}

/**
 * https://platform.openai.com/docs/api-reference/audio/transcript-text-delta-event, and Mistral's
 * https://docs.mistral.ai/api.
 */
const form: EventForm = {
  ...eventForm(OPENAI_END, (event) => readTranscriptTokens(asObject(event)?.usage), readText),
  terminalNeedle: '.done"',
  isTerminalLine: (line) => [OPENAI_END, MISTRAL_END].some((end) => hasType(line, `"${end}"`)),
}

/** OpenAI's transcripts: https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const transcriptionsCodec: Codec = {
  format: 'transcriptions',
  guard: new KeyGuard({ keys: ['file', 'response_format'] }),
  // All that is asked stands in the form.
  checkRequest: () => {},
  readUsage: readTranscriptUsage,
  // Subtitles and plain text are no JSON.
  answerKeys: [],
  modelField: 'model',
  // No event names a model.
  createScanner: () => new EventScanner(form, { withholdUsage: false, showModel: null }),
  encodeError: encodeChatError,
  encodeStreamError: encodeChatStreamError,
  form: transcriptionForm,
  keepAlive: ': keep-alive\n\n',
}

/** The same in English: https://platform.openai.com/docs/api-reference/audio/createTranslation */
export const translationsCodec: Codec = { ...transcriptionsCodec, format: 'translations' }
