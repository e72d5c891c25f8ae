import type { Cancellation } from '../base/cancellation.ts'
import type { BodyWatcher, UpstreamBody } from './body.ts'
import type { CheckAddress } from './connect/checked-lookup.ts'
import type { ProxyChoice } from './connect/choose-connector.ts'
import type { CheckThrough } from './connect/connector.ts'
import type { TimeLimits } from './connect/time-limits.ts'
import type { WithheldSecrets } from './withheld-secrets.ts'

export type UpstreamHeaders = Record<string, string | string[] | undefined>

/** Hears how far a request has come, and sees its answer as it comes from the upstream. */
export interface RequestWatcher extends BodyWatcher {
  /** There is a connection, and the request goes out on it. */
  onConnected(): void
  /** All of the request is on its way; not called where the answer comes before. */
  onSent(): void
  /** The answer's head is there. */
  onAnswer(status: number, headers: UpstreamHeaders): void
  /** There is no answer. The last it hears, as `onEnd` is. */
  onFailure(error: unknown): void
}

export interface UpstreamRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Absolute http or https URL. */
  url: string
  headers: Record<string, string>
  /**
   * In one piece or several, an empty one has none; or still being made: what its making throws is what
   * the call fails with.
   */
  body?: Buffer | readonly Buffer[] | AsyncIterable<Buffer>
  /** Bytes of a body that is still being made; it is sent in chunked coding where that is not known. */
  contentLength?: number | null
  /** Ends the call; the promise then rejects with its reason, or the body ends with it. */
  cancellation?: Cancellation
  /**
   * Throws for an address that the host's name leads to and that must not be asked; then no connection is
   * made. A proxy looks names up itself, so that there it is asked about the proxy's own, or as `checkThrough` says.
   */
  checkAddress?: CheckAddress | undefined
  checkThrough?: CheckThrough | undefined
  /** Proxy of the connection: its URL, or the system's; null or absent = none. */
  proxy?: ProxyChoice
  watcher?: RequestWatcher | null
  /** Secrets to remove from the answer's body. */
  withheld?: WithheldSecrets
  /** Where not given: 10 seconds for connecting, 300 of silence. */
  limits?: Readonly<TimeLimits>
}

/** An answer whose head has come; a redirect is given as it is, never followed. */
export interface UpstreamAnswer {
  status: number
  headers: UpstreamHeaders
  body: UpstreamBody
}
