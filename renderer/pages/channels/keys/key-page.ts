import type { OperationOutput } from '../../../../preload/contract.ts'

type Answer = OperationOutput<'channel.multi-key'>

/** One page of a channel's keys, with counts over all of them. */
export type KeyPage = Extract<Answer, { keys: unknown }>

export type KeyEntry = KeyPage['keys'][number]

export type KeyStatus = KeyEntry['status']

/** Undefined for answers to other actions than listing keys. */
export function keyPageOf(answer: Answer | undefined): KeyPage | null {
  return answer !== null && typeof answer === 'object' && 'keys' in answer ? answer : null
}
