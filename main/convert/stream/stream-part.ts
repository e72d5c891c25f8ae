import type { VendorError } from '../events/stream-scanner.ts'
import type {
  Citation,
  HostedPart,
  MediaPart,
  Native,
  NativePart,
  ReasoningState,
  Usage,
} from '../exchange.ts'
import type { Stop } from '../exchange-response.ts'

/**
 * One event of an answer that is being streamed. `block` numbers the answer's parts in the order of their
 * beginning, over all choices; blocks may interleave, and each has exactly one start and one end. After
 * `response-end` or `error` nothing follows.
 */
export type StreamPart =
  | {
      type: 'response-start'
      id: string
      model: string
      created: number | null
      /** The vendor's first count of the input; the final one comes with `usage`. */
      usage?: Partial<Usage>
      serviceTier?: string
      native?: Native
    }
  | { type: 'text-start'; block: number; choice: number; native?: Native }
  | { type: 'text-delta'; block: number; text: string; logprobs?: unknown }
  | { type: 'text-citation'; block: number; citation: Citation }
  | { type: 'text-end'; block: number; state?: ReasoningState; native?: Native }
  | { type: 'refusal-start'; block: number; choice: number; native?: Native }
  | { type: 'refusal-delta'; block: number; text: string }
  | { type: 'refusal-end'; block: number }
  | {
      type: 'reasoning-start'
      block: number
      choice: number
      form: 'summary' | 'raw'
      native?: Native
    }
  /** `section` rises by one where the vendor begins a new section. */
  | { type: 'reasoning-delta'; block: number; section: number; text: string }
  | { type: 'reasoning-end'; block: number; state?: ReasoningState; native?: Native }
  /** Sent when id and name are known. */
  | {
      type: 'call-start'
      block: number
      choice: number
      id: string | null
      name: string
      namespace?: string
      kind: 'function' | 'freeform'
      native?: Native
    }
  | { type: 'call-delta'; block: number; text: string }
  | { type: 'call-end'; block: number; state?: ReasoningState; native?: Native }
  /** A part that comes whole: media, hosted, native. */
  | { type: 'whole'; block: number; choice: number; part: MediaPart | HostedPart | NativePart }
  | { type: 'stop'; choice: number; stop: Stop; native?: Native }
  /** Cumulative; the last one counts. */
  | { type: 'usage'; usage: Usage }
  | { type: 'response-end' }
  | ({ type: 'error' } & VendorError)
