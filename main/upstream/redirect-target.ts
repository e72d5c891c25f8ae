import type { Reason } from '../base/reason.ts'
import type { UpstreamHeaders } from './request.ts'

/** RFC 9110 §15.4; 304 is here too, since no call of the gateway's is conditional. */
export const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** The longest name that DNS has, with a port behind it. */
const LONGEST_HOST = 260

interface Redirect {
  said: string
  reason: Reason
}

/** Of another host no more than its name: its path and query may hold what was sent. Of the same host not even that. */
function readRedirect({ location }: UpstreamHeaders, url: string): Redirect {
  const written = Array.isArray(location) ? location[0] : location
  if (!written) return { said: 'without naming an address', reason: { code: 'redirect_nowhere' } }
  const from = URL.canParse(url) ? new URL(url) : null
  const to = URL.canParse(written, from?.href) ? new URL(written, from?.href) : null
  if (!to || to.host === '') {
    return { said: 'to an address that cannot be read', reason: { code: 'redirect_unreadable' } }
  }
  if (to.host === from?.host) {
    return { said: 'to another address on the same host', reason: { code: 'redirect_same_host' } }
  }
  const host = to.host.slice(0, LONGEST_HOST)
  return { said: `to host "${host}"`, reason: { code: 'redirect_to_host', host } }
}

/** Where an answer to a request at `url` redirects, as the end of a sentence: `to host "example.com"`. */
export const redirectTarget = (headers: UpstreamHeaders, url: string): string =>
  readRedirect(headers, url).said

/** The same by code. */
export const redirectReason = (headers: UpstreamHeaders, url: string): Reason =>
  readRedirect(headers, url).reason
