import type { SentenceValues } from '../../../../preload/contract.ts'

type SlotsIn<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | SlotsIn<Rest>
  : never

/** Slots that a sentence has and the gateway gives no value for. */
export type WrongSlots<Texts extends Record<keyof SentenceValues, string>> = {
  [Code in keyof SentenceValues]: Exclude<SlotsIn<Texts[Code]>, keyof SentenceValues[Code]>
}[keyof SentenceValues]
