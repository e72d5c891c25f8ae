import { asLimit } from '../check/check-request.ts'
import { KeyGuard } from '../check/guarded-keys.ts'
import type { Codec } from '../codec.ts'
import { asObject, asString } from '../json/json-value.ts'
import { decodeUsage } from './answer/usage.ts'
import { messagesConversion } from './conversion.ts'
import { encodeMessagesError, encodeMessagesStreamError } from './error.ts'
import {
  ANTHROPIC_VERSION,
  checkMessagesCount,
  checkMessagesRequest,
} from './request/check-request.ts'
import { bindingHeaders } from './request/thought-binding.ts'
import { withoutBilling } from './request/without-billing.ts'
import { createMessagesScanner } from './stream/scanner.ts'

/** Anthropic Messages: https://docs.anthropic.com/en/api/messages */
export const messagesCodec: Codec = {
  format: 'messages',
  guard: new KeyGuard({ keys: ['messages', 'max_tokens', 'service_tier', 'speed'] }),
  checkRequest: checkMessagesRequest,
  checkCount: checkMessagesCount,
  readUsage: (answer) => decodeUsage(asObject(answer.get('usage')), answer.get('stop_reason')),
  answerKeys: ['content', 'input_tokens'],
  modelField: 'model',
  createScanner: createMessagesScanner,
  encodeError: encodeMessagesError,
  encodeStreamError: encodeMessagesStreamError,
  conversion: messagesConversion,
  path: '/v1/messages',
  idHeader: 'request-id',
  rateHeaders: 'anthropic',
  requestHeaders: { 'anthropic-version': ANTHROPIC_VERSION },
  bodyHeaders: bindingHeaders,
  cacheMarks: true,
  // https://docs.anthropic.com/en/api/errors: `overloaded_error`
  overloadedStatus: 529,
  conversationName: (body) => asString(asObject(body.get('metadata'))?.user_id),
  answerLimits: (body) => ({ tokens: asLimit(body.get('max_tokens')), answers: 1 }),
  withoutClientNote: withoutBilling,
  keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
}
