import type { GatewayError } from '../../base/errors.ts'
import type { JsonObject } from '../json/json-value.ts'
import { encodeOpenaiError } from '../openai/openai-error.ts'

/** A failure in OpenAI's shape, which is Chat's own. */
export const encodeChatError: (error: GatewayError, requestId: string) => JsonObject =
  encodeOpenaiError

/** The same inside a stream: a chunk with `error` and no `[DONE]`, at which SDKs throw. */
export const encodeChatStreamError = (error: GatewayError, requestId: string): string =>
  `data: ${JSON.stringify(encodeOpenaiError(error, requestId))}\n\n`
