import { ownValue } from '../../../base/own-value.ts'
import type { ReasoningPart, ReasoningState } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { wordOf } from '../../json/json-value.ts'
import { markState } from '../../reasoning/reasoning-state.ts'
import { OWN_FORMAT, REASONING_GAP } from '../decode-reasoning.ts'
import { keptFields } from '../own-fields.ts'
import { detailText, fieldsOfState, writeDetail } from '../reasoning-details.ts'

/**
 * An entry of `reasoning_details` by which a client carries state and gives it back. A vendor's own is
 * written as that vendor wrote it; any other is marked, with the span of the readable text that it belongs
 * to. Null where the text was not shown that a signature needs beside it.
 */
export function encodeDetail(
  state: ReasoningState,
  text: string,
  span: readonly [number, number],
): JsonObject | null {
  const own = fieldsOfState(state)
  if (own && typeof own.type === 'string') return writeDetail(own, text)
  const isShown = span[1] > span[0]
  if (text !== '' && !isShown && state.kind === 'signature') return null
  return {
    type: 'reasoning.encrypted',
    data: markState(state),
    ...(state.id === undefined ? {} : { id: state.id }),
    format: OWN_FORMAT,
    ...(isShown ? { span } : {}),
  }
}

/** The readable text of thoughts and the entries that carry their state, for an answer's message. */
export function encodeReasoning(
  parts: readonly ReasoningPart[],
  isShown: boolean,
): { text: string; details: JsonObject[] } {
  let text = ''
  const details: JsonObject[] = []
  for (const { sections, state, native } of parts) {
    const own = sections.join(REASONING_GAP)
    if (isShown && own !== '' && text !== '') text += REASONING_GAP
    const start = text.length
    if (isShown) text += own
    const kept = keptFields(native).reasoning_detail as JsonObject | undefined
    const detail = state
      ? encodeDetail(state, own, [start, text.length])
      : kept && ownValue(detailText, wordOf(kept.type)) !== undefined
        ? writeDetail(kept, own)
        : null
    if (detail) details.push(detail)
  }
  return { text, details }
}
