import { encodeChatError, encodeChatStreamError } from '../../chat/error.ts'
import { KeyGuard } from '../../check/guarded-keys.ts'
import type { Codec } from '../../codec.ts'
import { EventScanner } from '../../events/event-scanner.ts'
import { asObject, asString } from '../../json/json-value.ts'
import { eventForm } from '../event-form.ts'
import { transcriptionForm } from './transcription-form.ts'
import { readTranscriptTokens, readTranscriptUsage } from './transcription-usage.ts'

/** https://platform.openai.com/docs/api-reference/audio/transcript-text-delta-event */
const form = eventForm(
  'transcript.text.done',
  (event) => readTranscriptTokens(asObject(event)?.usage),
  (event) => asString(asObject(event)?.delta) ?? '',
)

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
