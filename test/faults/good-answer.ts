import type { Scene } from './fault.ts'
import { EVENTS_TYPE, JSON_TYPE, sendEvents, sendWhole } from './raw-answer.ts'
import type { RawExchange } from './raw-upstream.ts'

/** The type that a right answer has. */
export const typeOf = ({ stream, asArray }: Scene) => (stream && !asArray ? EVENTS_TYPE : JSON_TYPE)

/** Answers as a vendor without faults does. */
export const goodAnswer = (exchange: RawExchange, scene: Scene): Promise<void> => {
  const { stream, answer } = scene
  return stream
    ? sendEvents(exchange, answer.events, typeOf(scene))
    : sendWhole(exchange, 200, JSON_TYPE, answer.whole)
}
