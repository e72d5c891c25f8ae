/** Something that a user is told of outside the console. */
export interface Notice {
  /**
   * `quota_exceed` and `channel_update` are new-api's words
   * (https://github.com/QuantumNous/new-api/blob/main/dto/notify.go); the others have none there.
   */
  type: 'quota_exceed' | 'budget_warning' | 'channel_update' | 'payment_problem' | 'test'
  /** A few words. */
  title: string
  /** A sentence or two, without any secret. */
  content: string
  /** The figures in it, in their order. */
  values?: readonly (string | number)[]
}
