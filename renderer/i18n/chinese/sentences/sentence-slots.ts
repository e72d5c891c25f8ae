import type { SentenceValues } from '../../../../preload/contract.ts'

type SlotsIn<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | SlotsIn<Rest>
  : never

/** `wait` says `seconds` in minutes where they are many. */
type Values<Given> = keyof Given | ('seconds' extends keyof Given ? 'wait' : never)

/** Slots that a sentence has and the gateway gives no value for. */
export type WrongSlots<Texts extends Record<keyof SentenceValues, string>> = {
  [Code in keyof SentenceValues]: Exclude<SlotsIn<Texts[Code]>, Values<SentenceValues[Code]>>
}[keyof SentenceValues]
