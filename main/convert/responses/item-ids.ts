/** Kinds of output items and how the vendor begins their ids. */
export type ItemKind =
  | 'msg'
  | 'rs'
  | 'fc'
  | 'ctc'
  | 'ws'
  | 'ci'
  | 'ig'
  | 'apc'
  | 'lsh'
  | 'sh'
  | 'tsc'

/** Tells ids that this gateway made from the vendor's. */
const OWN = '_sy_'
const ownId = /^[a-z]+_sy_([A-Za-z0-9-]+)_(\d+)$/

/** The id of the answer to the call of this id. */
export const answerId = (callId: string): string => `resp_${callId}`

/** The id of the item at a place in the answer to a call, the same whenever it is worked out. */
export const itemId = (kind: ItemKind, callId: string, index: number): string =>
  `${kind}${OWN}${callId}_${index}`

/** The answer and place that an id made by `itemId` stands for; null for a vendor's id. */
export function readItemId(id: string): { answer: string; index: number } | null {
  const match = ownId.exec(id)
  return match?.[1] && match[2] ? { answer: answerId(match[1]), index: Number(match[2]) } : null
}
