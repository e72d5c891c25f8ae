import type { Native, Part, Usage } from './exchange.ts'

export type StopReason =
  | 'end'
  | 'stop-sequence'
  | 'length'
  | 'context-window'
  | 'tool-calls'
  | 'refusal'
  | 'content-filter'
  | 'pause'
  /** The vendor could not read what its own model wrote. */
  | 'malformed'
  | 'other'

export interface Stop {
  reason: StopReason
  /** The stop sequence that was met, where the vendor tells. */
  sequence?: string
  /** The vendor's own word: `RECITATION`, `max_output_tokens`. */
  vendorReason?: string
  explanation?: string
  native?: Native
}

/** One of the answers; there is one unless the client asked for more. */
export interface Choice {
  parts: Part[]
  stop: Stop
  /** In OpenAI's shape: `{content: [...], refusal: [...]}`. */
  logprobs?: Record<string, unknown>
  native?: Native
}

export interface ExchangeResponse {
  id: string
  model: string
  /** Unix seconds; null where the vendor does not tell. */
  created: number | null
  choices: Choice[]
  usage: Usage | null
  serviceTier?: string
  native?: Native
}
