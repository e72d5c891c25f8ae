import { codecOf } from '../convert/codecs.ts'
import type { WireFormat } from '../convert/exchange.ts'
import type { Call } from './call.ts'

/** The client's answer to a call that counts tokens. */
export const countAnswer = (call: Call, tokens: number): Buffer =>
  Buffer.from(
    JSON.stringify(codecOf(call.format).conversion.count?.encodeResponse(tokens) ?? { tokens }),
  )

/** The upstream's body of a counting call, out of the one that it would answer. */
export const countBody = (
  format: WireFormat,
  body: Record<string, unknown>,
  model: string,
): Record<string, unknown> => codecOf(format).conversion.count?.wrapRequest(body, model) ?? body

/** Tokens that an upstream counted; null where its answer tells none. */
export const countedTokens = (format: WireFormat, answer: unknown): number | null =>
  codecOf(format).conversion.count?.decodeResponse(answer) ?? null

/** Is the upstream's refusal of a counting call about the call, so that the client has to know it? */
export const refusesCount = (status: number): boolean =>
  status === 400 || status === 413 || status === 422
