import { GatewayError } from '../../base/errors.ts'
import type { SocketCall } from '../adaptor.ts'
import { joinUrl } from './join-url.ts'

/** `https://…` to `wss://…`, `http://…` to `ws://…`. */
const asSocketUrl = (url: string): string => url.replace(/^http/i, 'ws')

const withQuery = (url: string, query: URLSearchParams): string => {
  const text = query.toString()
  return text === '' ? url : `${url}?${text}`
}

/**
 * May the URL name the model? A connection to a call that goes on has one already, and OpenAI refuses
 * one for a session that only transcribes: https://platform.openai.com/docs/guides/realtime-transcription
 */
const namesModel = (query: URLSearchParams, isStrict: boolean): boolean =>
  !query.has('call_id') && !(isStrict && query.get('intent') === 'transcription')

/**
 * Where an OpenAI-compatible vendor takes WebSockets: `/realtime?model=…`
 * (https://platform.openai.com/docs/guides/realtime-websocket) and `/responses`
 * (https://platform.openai.com/docs/guides/websocket-mode).
 */
export function openAiSocketUrl(
  place: { baseUrl: string; root: string; isOwnHost: boolean },
  { format, model, query }: SocketCall,
): string {
  const url = asSocketUrl(joinUrl(place.baseUrl, `/${format}`, place.root))
  const asked = new URLSearchParams(query)
  asked.delete('model')
  if (format === 'realtime' && model !== '' && namesModel(asked, place.isOwnHost)) {
    asked.set('model', model)
  }
  return withQuery(url, asked)
}

/**
 * Where an Azure resource takes realtime sessions: `/openai/v1/realtime?model=…`, and with a dated version
 * `/openai/realtime?api-version=…&deployment=…`
 * (https://learn.microsoft.com/azure/ai-foundry/openai/how-to/realtime-audio-websockets). Throws
 * `format_not_served` for Responses, for which Azure documents no WebSocket.
 */
export function azureSocketUrl(
  { resource, datedVersion }: { resource: string; datedVersion: string | null },
  { format, model, query }: SocketCall,
): string {
  if (format !== 'realtime') {
    throw new GatewayError('format_not_served', {
      message: 'An Azure OpenAI channel takes Responses over HTTP only.',
      reason: { code: 'azure_responses_over_http' },
    })
  }
  const asked = new URLSearchParams(query)
  asked.delete('model')
  if (datedVersion === null) {
    if (model !== '' && namesModel(asked, false)) asked.set('model', model)
    return withQuery(asSocketUrl(`${resource}/openai/v1/realtime`), asked)
  }
  asked.set('api-version', datedVersion)
  asked.set('deployment', model)
  return withQuery(asSocketUrl(`${resource}/openai/realtime`), asked)
}
