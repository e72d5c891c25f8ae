import type { UpstreamHeaders } from '../upstream/request.ts'

/** Headers that belong to one connection, to the vendor's own site, or to bytes we have unpacked. */
const dropped = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'trailer',
  'upgrade',
  'content-length',
  'content-encoding',
  'set-cookie',
  'strict-transport-security',
  'alt-svc',
  'date',
  'server',
  'via',
  'nel',
  'report-to',
  'reporting-endpoints',
  'x-powered-by',
  'vary',
  'content-security-policy',
  'content-security-policy-report-only',
  'x-oneapi-request-id',
])

/** The vendor's headers that are the client's to see: everything but what is named above. */
export function answerHeaders(upstream: UpstreamHeaders): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const name in upstream) {
    const value = upstream[name]
    if (value === undefined || dropped.has(name)) continue
    if (name.startsWith('cf-') || name.startsWith('access-control-')) continue
    headers[name] = value
  }
  return headers
}
