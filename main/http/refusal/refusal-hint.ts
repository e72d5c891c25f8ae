import type { IncomingHttpHeaders } from 'node:http'
import { foreignKeyHint, misplacedKeyHint } from './key-hint.ts'
import { pathHint } from './path-hint.ts'

/** Why a request was refused. */
export interface Refusal {
  /** A code of the gateway's errors, or one of those in main/store/refused/refused-request.ts. */
  code: string
  status: number
  message: string
  /** The header or field at fault. */
  field?: string | undefined
  /** A hint that is known already. */
  hint?: string
}

/** Parts of a refused request that hints are derived from. */
export interface RefusedParts {
  /** As it was sent; a proxy's client sends a whole address. */
  url: string
  /** Without the query. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** Every key that it carried where keys are looked for. */
  keys: readonly string[]
}

const asProxy = (ownUrl: string): string =>
  `Your tool uses Switchyard as an HTTP proxy: take it out of HTTP_PROXY and HTTPS_PROXY, and use ${ownUrl} in the tool's base URL.`

function hostHint({ url, headers }: RefusedParts, field: string | undefined, ownUrl: string) {
  if (/^https?:\/\//i.test(url)) return asProxy(ownUrl)
  const host = field === 'Host' ? headers.host : undefined
  const name = host?.replace(/:\d*$/, '')
  if (!name || /^(?:127\.|localhost$|\[::1\]$)/i.test(name)) return `Use ${ownUrl}.`
  return `Your tool called this gateway "${host}": add ${name} to AllowedHosts in Settings, or use ${ownUrl}.`
}

function originHint({ headers, path }: RefusedParts, isModelPath: boolean): string | null {
  const { origin } = headers
  if (origin === undefined || !/^[a-z][a-z+.-]*:\/\/./i.test(origin)) return null
  return isModelPath
    ? `A page of ${origin} called ${path}: add ${origin} to AllowedOrigins in Settings.`
    : null
}

/** How to put a refused request right, in a sentence for a person; empty where only the message helps. */
export function refusalHint(
  { code, field, hint = '' }: Refusal,
  request: RefusedParts,
  isModelPath: boolean,
  ownUrl: string,
): string {
  switch (code) {
    case 'unknown_path': {
      const advice = pathHint(request.path, ownUrl)
      return advice === null ? '' : `Your tool called ${request.path}: ${advice}`
    }
    case 'missing_token':
      return misplacedKeyHint(request.headers, request.query) ?? ''
    case 'unknown_token':
      return foreignKeyHint(request.headers, request.keys) ?? ''
    case 'host_not_allowed':
      return hostHint(request, field, ownUrl)
    case 'origin_not_allowed':
      return originHint(request, isModelPath) ?? ''
    case 'proxy_request':
      return asProxy(ownUrl)
    case 'websocket_not_served':
      return 'Nothing to do: Codex falls back to HTTP by itself.'
    case 'invalid_request':
      return field === 'anthropic-version'
        ? 'Your tool sent no anthropic-version: add the header "anthropic-version: 2023-06-01".'
        : ''
    default:
      return hint
  }
}
