import type { Codec } from '../codec.ts'
import { KeyGuard } from '../guarded-keys.ts'
import { asObject } from '../json-value.ts'
import { messagesConversion } from './conversion.ts'
import { encodeMessagesError, encodeMessagesStreamError } from './error.ts'
import { checkMessagesCount, checkMessagesRequest } from './request.ts'
import { createMessagesScanner } from './stream.ts'
import { decodeUsage } from './usage.ts'

/** Anthropic Messages: https://docs.anthropic.com/en/api/messages */
export const messagesCodec: Codec = {
  format: 'messages',
  guard: new KeyGuard({ keys: ['messages', 'max_tokens', 'service_tier', 'speed'] }),
  checkRequest: checkMessagesRequest,
  checkCount: checkMessagesCount,
  readUsage: (answer) => decodeUsage(asObject(answer.get('usage'))),
  answerKeys: ['content', 'input_tokens'],
  modelField: 'model',
  createScanner: createMessagesScanner,
  encodeError: encodeMessagesError,
  encodeStreamError: encodeMessagesStreamError,
  conversion: messagesConversion,
  keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
}
