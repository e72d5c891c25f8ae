import type { CallFormat } from '../../convert/call-format.ts'
import { conversionOf } from '../../convert/codecs.ts'
import type { Call } from '../call/call.ts'

/** The client's answer to a call that counts tokens. */
export const countAnswer = (call: Call, tokens: number): Buffer =>
  Buffer.from(JSON.stringify(conversionOf(call.format).count?.encodeResponse(tokens) ?? { tokens }))

/** The upstream's body of a counting call, out of the one that it would answer. */
export const countBody = (
  format: CallFormat,
  body: Record<string, unknown>,
  model: string,
): Record<string, unknown> => conversionOf(format).count?.wrapRequest(body, model) ?? body

/** Tokens that an upstream counted; null where its answer tells none. */
export const countedTokens = (format: CallFormat, answer: unknown): number | null =>
  conversionOf(format).count?.decodeResponse(answer) ?? null

/** Is the upstream's refusal of a counting call about the call, so that the client has to know it? */
export const refusesCount = (status: number): boolean =>
  status === 400 || status === 413 || status === 422
