import type { AnswerTarget } from '../../conversion.ts'
import { estimateOutput } from '../../estimate/estimate-output.ts'
import type { Part, Usage } from '../../exchange.ts'
import type { Choice, ExchangeResponse } from '../../exchange-response.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { withGaps } from '../../stream/dropped-gap.ts'
import { keptFields } from '../own-fields.ts'
import { answerBlocks } from './answer-block.ts'
import { encodeUsage, extrasOf } from './answer-usage.ts'
import { encodeStop, unreadableNote } from './stop.ts'

/** An answer's id in the client's form. */
export const messageId = (callId: string): string => `msg_${callId.replace(/[^a-zA-Z0-9_-]/g, '')}`

/** Usage of an answer whose upstream counted nothing. */
export const unknownUsage = (input: number, output = 0): Usage => ({
  input,
  cachedInput: 0,
  cacheWrite: 0,
  output,
  reasoning: 0,
})

/** A whole message with every field that the newest SDK expects. */
export function encodeResponse(response: ExchangeResponse, target: AnswerTarget): JsonObject {
  const choice = response.choices[0] ?? { parts: [], stop: { reason: 'end' } }
  const own = keptFields(response.native)
  const usage = response.usage ?? unknownUsage(target.estimatedInput, estimateOutput(choice.parts))
  const rest = Object.entries(own).filter(([name]) => !name.startsWith('usage.'))
  const hasCalls = choice.parts.some(({ type }) => type === 'call')
  const hasRefusal = choice.parts.some(({ type }) => type === 'refusal')
  return {
    id: messageId(target.id),
    type: 'message',
    role: 'assistant',
    model: target.model,
    content: contentOf(choice, target),
    ...encodeStop(choice.stop, hasCalls, hasRefusal),
    container: null,
    diagnostics: null,
    usage: encodeUsage(usage, response.serviceTier, extrasOf(own)),
    ...Object.fromEntries(rest),
  }
}

function contentOf({ parts, stop }: Choice, target: AnswerTarget): JsonObject[] {
  const wasCut = stop.reason === 'length' || stop.reason === 'context-window'
  const isShown = (part: Part) => answerBlocks(part, 0, target, wasCut).length > 0
  const blocks = withGaps(parts, isShown).flatMap((part, number) =>
    answerBlocks(part, number, target, wasCut),
  )
  const note = unreadableNote(stop)
  if (note !== null) blocks.push({ type: 'text', text: note, citations: null })
  return blocks
}
