import { withinStack } from '../../convert/check/too-deep.ts'
import { estimateInput } from '../../convert/estimate/estimate-input.ts'
import type { Call } from '../call/call.ts'
import { decodedRequest } from '../translate/translate-request.ts'
import { roughTokens } from './rough-tokens.ts'

/**
 * Bytes from which on a body is not read as a whole on the gateway's own thread. A MiB takes some 15 ms to be
 * converted: about as long as other calls may be kept waiting.
 */
export const BIG_BODY = 1024 * 1024

/** About how many tokens the prompt of a conversation has. Throws for a body that cannot be read. */
export const estimatedPrompt = (call: Call): number =>
  call.body.size < BIG_BODY
    ? withinStack('request_too_deep', () => estimateInput(decodedRequest(call)))
    : roughTokens(call.body.pieces)
