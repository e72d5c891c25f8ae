import type { AnswerTarget } from '../../conversion.ts'
import { upstreamError } from '../../errors/upstream-error.ts'
import type { Usage } from '../../exchange.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { encodeChatUsage } from '../answer/encode-usage.ts'
import { encodeChatStreamError } from '../error.ts'

/**
 * `usage` for a client that asked for it. Where the vendor told none it gets the gateway's estimate;
 * `written` are the tokens of output that went by.
 */
export const lastUsage = (
  reported: Usage | null,
  { estimatedInput }: AnswerTarget,
  written: number,
): Record<string, unknown> =>
  encodeChatUsage(
    reported ?? {
      input: estimatedInput,
      cachedInput: 0,
      cacheWrite: 0,
      output: written,
      reasoning: 0,
    },
  )

/** A vendor's failure as the last event of the stream. */
export const lastError = (
  error: Extract<StreamPart, { type: 'error' }>,
  { id }: AnswerTarget,
): string => encodeChatStreamError(upstreamError(error), id)
