import { redact } from '../../base/log/redact.ts'

/** A request that was refused before it became a call. Texts hold no key. */
export interface RefusedRequest {
  requestId: string
  /** Milliseconds since 1970. */
  time: number
  /** Empty where the head could not be read, as is the path. */
  method: string
  /** With its query, in which keys are `***`. */
  path: string
  /** HTTP status of the answer; 0 = the connection was closed without one, 499 = the client had left. */
  status: number
  /** A code of the gateway's errors, or `malformed_http`, `missing_host`, `expectation_failed`, `proxy_request`. */
  code: string
  message: string
  /** How to put it right, for a person; empty where nothing more is known than the message says. */
  hint: string
  /** Message and hint by code and values, as JSON; empty where they have none. */
  reason: string
  hintReason: string
  /** The header User-Agent. */
  client: string
  ip: string
  /** 0 = no token of this gateway was named, and so no user. */
  tokenId: number
  tokenName: string
  userId: number
  username: string
  /** Empty where it isn't known, as is the wire format. */
  model: string
  format: string
  /** Milliseconds from the request's arrival. */
  duration: number
}

export interface StoredRefusal extends RefusedRequest {
  /** Rises with each row. */
  id: number
  /** Refused in the same second and only counted, because too many came. */
  more: number
}

/** Characters that are kept of each text. */
const LONGEST = {
  requestId: 64,
  method: 20,
  path: 512,
  code: 64,
  message: 1000,
  hint: 500,
  client: 200,
  ip: 64,
  tokenName: 200,
  username: 200,
  model: 200,
  format: 64,
} as const satisfies Partial<Record<keyof RefusedRequest, number>>

/** Characters of a reason: one that is longer can't be cut, and is left out. */
const LONGEST_REASON = 2000

/** Halves of surrogate pairs would come back from a file as other characters. */
const wellFormed = (text: string): string => Buffer.from(text).toString()

/** The row with its texts cut to size and without secrets. */
export function boundedRow(row: RefusedRequest): RefusedRequest {
  const bounded = { ...row }
  for (const [name, longest] of Object.entries(LONGEST) as [keyof typeof LONGEST, number][]) {
    bounded[name] = wellFormed(redact(row[name]).slice(0, longest))
  }
  for (const name of ['reason', 'hintReason'] as const) {
    bounded[name] = row[name].length > LONGEST_REASON ? '' : wellFormed(redact(row[name]))
  }
  return bounded
}
