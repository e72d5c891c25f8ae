import type { CallFormat } from '../../convert/call-format.ts'

/** A call of a session, as its row in the ledger has it. */
export interface SessionCall {
  requestId: string
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
  /** As the upstream was asked. */
  model: string
  /** 0 = it never reached one. */
  channelId: number
  /** Index of the key if the channel has several; else null. */
  keyIndex: number | null
  /** Wire format that the upstream was called in. */
  format: CallFormat
  isError: boolean
  input: number
  cachedInput: number
  cacheWrite: number
  /** Its tokens are an estimate, since the vendor told none or its answer was cut. */
  isEstimated: boolean
  /** A sub-agent's id; null for the agent itself. */
  agent: string | null
  /** A side task, by its client's word, or a mere count of tokens. */
  isBackground: boolean
}
