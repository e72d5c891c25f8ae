import { readChatUsage } from '../../chat/answer/usage.ts'
import { encodeChatError, encodeChatStreamError } from '../../chat/error.ts'
import { chatGuard } from '../../chat/request/guard.ts'
import { chatForm } from '../../chat/stream/scanner.ts'
import { refuse, requireCount, requireSwitch } from '../../check/check-request.ts'
import type { Codec } from '../../codec.ts'
import type { EventForm } from '../../events/event-form.ts'
import { EventScanner } from '../../events/event-scanner.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import { completionsConversion } from './conversion.ts'

const promptKinds = ['string', 'array', 'null']

/** Only what routing and accounting rest on: some vendors take a prompt in other fields. */
function checkCompletionsRequest(body: JsonFields): void {
  const prompt = body.kind('prompt')
  if (prompt !== undefined && !promptKinds.includes(prompt)) {
    refuse('prompt', 'must_be_prompt')
  }
  requireSwitch(body, 'stream')
  // With `echo` a prompt alone is scored.
  requireCount(body, 'max_tokens', 0)
  for (const field of ['n', 'best_of']) requireCount(body, field)
  const options = body.kind('stream_options')
  if (options !== undefined && options !== 'null' && options !== 'object') {
    refuse('stream_options', 'must_be_object')
  }
}

/** Chat's stream but for where the text stands. */
const form: EventForm = {
  ...chatForm,
  readText: (event) =>
    asArray(asObject(event)?.choices)
      .map((choice) => asString(asObject(choice)?.text) ?? '')
      .join(''),
  // Several prompts have an answer each.
  answerEnding: chatForm.answerEnding && {
    ...chatForm.answerEnding,
    asksSeveral: (request) =>
      request.kind('prompt') === 'array' ||
      (request.kind('n') === 'number' && request.get('n') !== 1),
  },
}

/** OpenAI's legacy completions: https://platform.openai.com/docs/api-reference/completions */
export const completionsCodec: Codec = {
  format: 'completions',
  guard: chatGuard,
  checkRequest: checkCompletionsRequest,
  readUsage: (answer) => readChatUsage({ usage: answer.get('usage') }),
  answerKeys: ['choices'],
  modelField: 'model',
  createScanner: (options) => new EventScanner(form, options),
  encodeError: encodeChatError,
  encodeStreamError: encodeChatStreamError,
  conversion: completionsConversion,
  streamUsageOption: true,
  keepAlive: ': keep-alive\n\n',
}
