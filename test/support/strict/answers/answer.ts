import type { ScriptedTurn } from '../loops/loop-script.ts'
import type { Json } from '../requests/refusal.ts'
import type { IssuedStates } from './issued-state.ts'

/** The input for one answer in a vendor's shape. */
export interface AnswerPlan {
  turn: ScriptedTurn
  body: Json
  model: string
  issued: IssuedStates
  /** Unlike any other answer's: part of every id in it. */
  nonce: string
}

/** An answer both ways: the whole body, and the chunks of a stream that says the same. */
export interface PlannedAnswer {
  whole: Json
  chunks: readonly string[]
}

export const dataLine = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

export const namedEvent = (value: Json): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`

/** JSON text of a scripted call, `{}` where it has no arguments. */
export const argumentsOf = (text: string): string => (text === '' ? '{}' : text)

/** Marks JSON text that must stand in a body as the model wrote it, big numbers included. */
export const RAW = 'raw:'

/** Puts the marked JSON text into a body's text. */
export const unwrapRaw = (text: string): string =>
  text.replace(/"raw:((?:[^"\\]|\\.)*)"/g, (_, inner: string) => JSON.parse(`"${inner}"`))
