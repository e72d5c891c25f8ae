interface OfChannel {
  channelId: number
  channelName: string
}

/** Something that the owner should hear of, even while no console is open. */
export type Incident = {
  /** Names what is wrong, so that it is told once: `key:3:…`, `channel:3`, `budget:5:day:…`. */
  cause: string
} & (
  | (OfChannel & {
      kind: 'key-refused'
      /** The vendor's HTTP status. */
      status: number | null
    })
  | (OfChannel & {
      kind: 'channel'
      /** The gateway has disabled it, or leaves it alone for a while after failures. */
      how: 'disabled' | 'cooling'
      /** The vendor's sentence, or what happened; without any key. */
      reason: string
    })
  | {
      kind: 'budget'
      /** A token's budget of the day or month, a token's quota, or a user's balance. */
      what: 'day-budget' | 'month-budget' | 'token-quota' | 'user-balance'
      /** Name of the token or user. */
      name: string
    }
)
