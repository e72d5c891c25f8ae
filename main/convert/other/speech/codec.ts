import { encodeChatError, encodeChatStreamError } from '../../chat/error.ts'
import { KeyGuard } from '../../check/guarded-keys.ts'
import type { Codec } from '../../codec.ts'
import { EventScanner } from '../../events/event-scanner.ts'
import type { Usage } from '../../exchange.ts'
import { asCount, asObject } from '../../json/json-value.ts'
import { eventForm } from '../event-form.ts'
import { inputUsage } from '../read-usage.ts'
import { checkSpeechRequest, spokenUsage } from './speech-request.ts'

/** Usage of the last event, `speech.audio.done`; null where it has none. */
function readSpeechTokens(value: unknown): Usage | null {
  const usage = asObject(value)
  if (!usage) return null
  const read = inputUsage(asCount(usage.input_tokens) ?? 0)
  return { ...read, output: asCount(usage.output_tokens) ?? 0 }
}

/** https://platform.openai.com/docs/api-reference/audio/speech-audio-delta-event */
const form = eventForm(
  'speech.audio.done',
  (event) => readSpeechTokens(asObject(event)?.usage),
  () => '',
)

/** OpenAI's speech: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const speechCodec: Codec = {
  format: 'speech',
  guard: new KeyGuard({ keys: ['input', 'voice', 'stream_format'] }),
  checkRequest: checkSpeechRequest,
  readUsage: (answer) => readSpeechTokens(answer.get('usage')),
  requestUsage: (body) => spokenUsage({ input: body.get('input') }),
  // Sound is no JSON.
  answerKeys: [],
  modelField: 'model',
  // For `stream_format` sse; no event names a model.
  createScanner: () => new EventScanner(form, { withholdUsage: false, showModel: null }),
  encodeError: encodeChatError,
  encodeStreamError: encodeChatStreamError,
  keepAlive: ': keep-alive\n\n',
}
