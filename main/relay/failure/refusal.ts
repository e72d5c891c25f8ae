import type { UpstreamHeaders } from '../../upstream/request.ts'

/** An upstream's answer that is no success: its status, headers and whole body. */
export interface Refusal {
  status: number
  headers: UpstreamHeaders
  body: Buffer
}

/** Is what came from an upstream its refusal? An answer taken in has no `body`. */
export const isRefusal = (received: object): received is Refusal => 'body' in received

/** What JSON says; undefined for what is none. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
