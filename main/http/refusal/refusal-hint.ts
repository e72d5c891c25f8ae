import type { IncomingHttpHeaders } from 'node:http'
import type { Reason, Sentence } from '../../base/reason.ts'
import { foreignKeyHint, misplacedKeyHint } from './key-hint.ts'
import { pathHint } from './path-hint.ts'

/** Why a request was refused. */
export interface Refusal {
  /** A code of the gateway's errors, or one of those in main/store/refused/refused-request.ts. */
  code: string
  status: number
  message: string
  /** The message by code; a failure's own. */
  reason?: Reason | undefined
  /** The header or field at fault. */
  field?: string | undefined
  /** A hint that is known already. */
  hint?: Sentence
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

const asProxy = (ownUrl: string): Sentence => ({
  message: `Your tool uses Switchyard as an HTTP proxy: take it out of HTTP_PROXY and HTTPS_PROXY, and use ${ownUrl} in the tool's base URL.`,
  reason: { code: 'used_as_proxy', url: ownUrl },
})

function hostHint(
  { url, headers }: RefusedParts,
  field: string | undefined,
  ownUrl: string,
): Sentence {
  if (/^https?:\/\//i.test(url)) return asProxy(ownUrl)
  const host = field === 'Host' ? headers.host : undefined
  const name = host?.replace(/:\d*$/, '')
  if (host === undefined || !name || /^(?:127\.|localhost$|\[::1\]$)/i.test(name)) {
    return { message: `Use ${ownUrl}.`, reason: { code: 'use_url', url: ownUrl } }
  }
  return {
    message: `Your tool called this gateway "${host}": add ${name} to AllowedHosts in Settings, or use ${ownUrl}.`,
    reason: { code: 'host_unlisted', host, name, url: ownUrl },
  }
}

function originHint({ headers, path }: RefusedParts, isModelPath: boolean): Sentence | null {
  const { origin } = headers
  if (origin === undefined || !/^[a-z][a-z+.-]*:\/\/./i.test(origin)) return null
  return isModelPath
    ? {
        message: `A page of ${origin} called ${path}: add ${origin} to AllowedOrigins in Settings.`,
        reason: { code: 'origin_unlisted', origin, path },
      }
    : null
}

/** How to put a refused request right, in a sentence for a person; null where only the message helps. */
export function refusalHint(
  { code, field, hint }: Refusal,
  request: RefusedParts,
  isModelPath: boolean,
  ownUrl: string,
): Sentence | null {
  switch (code) {
    case 'unknown_path': {
      const { path } = request
      const advice = pathHint(path, ownUrl)?.advice
      if (!advice) return null
      return {
        message: `Your tool called ${path}: ${advice.message}`,
        reason: { code: 'path_advice', path, advice: advice.reason },
      }
    }
    case 'missing_token':
      return misplacedKeyHint(request.headers, request.query)
    case 'unknown_token':
      return foreignKeyHint(request.headers, request.keys)
    case 'host_not_allowed':
      return hostHint(request, field, ownUrl)
    case 'origin_not_allowed':
      return originHint(request, isModelPath)
    case 'proxy_request':
      return asProxy(ownUrl)
    case 'websocket_not_served':
      return {
        message: 'Nothing to do: agents fall back to HTTP by themselves.',
        reason: { code: 'codex_falls_back' },
      }
    case 'invalid_request':
      return field === 'anthropic-version'
        ? {
            message:
              'Your tool sent no anthropic-version: add the header "anthropic-version: 2023-06-01".',
            reason: { code: 'anthropic_version_unsent' },
          }
        : null
    default:
      return hint ?? null
  }
}
