import type { UpstreamHeaders } from './request.ts'

/** RFC 9110 §15.4; 304 is here too, since no call of the gateway's is conditional. */
export const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** The longest name that DNS has, with a port behind it. */
const LONGEST_HOST = 260

/**
 * Where an answer to a request at `url` redirects, as the end of a sentence: `to host "example.com"`. Of another
 * host no more than its name: its path and query may hold what was sent. Of the same host not even that.
 */
export function redirectTarget({ location }: UpstreamHeaders, url: string): string {
  const written = Array.isArray(location) ? location[0] : location
  if (!written) return 'without naming an address'
  const from = URL.canParse(url) ? new URL(url) : null
  const to = URL.canParse(written, from?.href) ? new URL(written, from?.href) : null
  if (!to || to.host === '') return 'to an address that cannot be read'
  if (to.host === from?.host) return 'to another address on the same host'
  return `to host "${to.host.slice(0, LONGEST_HOST)}"`
}
