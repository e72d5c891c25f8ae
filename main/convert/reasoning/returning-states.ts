import type { ExchangeRequest, Part, ReasoningState, WireFormat } from '../exchange.ts'
import type { Loss } from '../loss.ts'
import type { StreamPart } from '../stream/stream-part.ts'
import { isReadBy } from './reasoning-state.ts'

type WithState = { state?: ReasoningState }

const stateOf = (part: object): ReasoningState | undefined => (part as WithState).state

/**
 * The request without reasoning state that speaks the upstream's format but was made by another model, which
 * this one would refuse. State of other formats is the encoders' to judge.
 */
export function withReadableStates(
  request: ExchangeRequest,
  format: WireFormat,
  model: string,
  loss: Loss,
): ExchangeRequest {
  const isNative = request.origin === format
  const isForeign = (part: Part): boolean => {
    const state = stateOf(part)
    return state?.origin === format && !isReadBy(state, model, isNative)
  }
  if (!request.turns.some(({ parts }) => parts.some(isForeign))) return request
  const turns = request.turns.map((turn) => ({
    ...turn,
    parts: turn.parts.map((part) => {
      if (!isForeign(part)) return part
      const { state: _state, ...rest } = part as Part & WithState
      loss.drop(part.at ?? turn.at ?? loss.field('turns'), 'other_model_state')
      return rest as Part
    }),
  }))
  return { ...request, turns }
}

/** A part of an answer whose state of the Chat format, which names no vendor, tells the model as asked for. */
export function withMaker<P extends Part | StreamPart>(part: P, model: string): P {
  const state = stateOf(part)
  return state?.origin === 'chat' ? { ...part, state: { ...state, model } } : part
}
