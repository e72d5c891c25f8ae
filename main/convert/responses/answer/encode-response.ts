import type { AnswerTarget } from '../../conversion.ts'
import type { ExchangeResponse } from '../../exchange-response.ts'
import { spreadResponse } from '../../stream/spread-response.ts'
import { AnswerWriter } from './answer-writer.ts'

/** A whole answer, item for item the one that its stream would end with. */
export function encodeResponse(
  response: ExchangeResponse,
  target: AnswerTarget,
): Record<string, unknown> {
  const writer = new AnswerWriter(target, () => undefined)
  for (const part of spreadResponse(response)) writer.push(part)
  return writer.response()
}
