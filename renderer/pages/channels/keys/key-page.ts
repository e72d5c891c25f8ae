import type { OperationOutput } from '../../../../preload/contract.ts'

type Answer = OperationOutput<'channel.multi-key'>

/** One page of a channel's keys with the sums over all of them. */
export type KeyPage = Extract<Answer, { keys: unknown }>

export type KeyEntry = KeyPage['keys'][number]

export type KeyStatus = KeyEntry['status']

/** The page in an answer; other actions than reading the keys answer with something else. */
export function keyPageOf(answer: Answer | undefined): KeyPage | null {
  return answer !== null && typeof answer === 'object' && 'keys' in answer ? answer : null
}
