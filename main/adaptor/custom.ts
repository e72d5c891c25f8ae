import { GatewayError } from '../base/errors.ts'
import type { WireFormat } from '../convert/exchange.ts'
import type { Adaptor, ChannelTarget, UpstreamCall } from './adaptor.ts'
import { chosenEndpoints, ENDPOINT_OF_FORMAT, endpointsOr } from './endpoint-types.ts'
import { isWholeEndpoint, parseBaseUrl } from './join-url.ts'
import { openAiCompatible } from './openai-compatible.ts'
import { perChannel } from './per-channel.ts'

const compatible = openAiCompatible({ type: 8, name: 'Custom', defaultBaseUrl: '' })

/** The parser writes the braces of a path as %7B and %7D. */
const MODEL = /(?:\{|%7B)model(?:\}|%7D)/gi

/** What a full URL serves can be read from its end. */
function formatIn(path: string): WireFormat {
  if (path.endsWith('/messages')) return 'messages'
  if (path.endsWith('/responses')) return 'responses'
  return /:(?:streamG|g)enerateContent$/.test(path) ? 'generate-content' : 'chat'
}

const place = perChannel((channel: ChannelTarget) => {
  const url = parseBaseUrl(channel.baseUrl)
  const path = url.pathname.replace(/\/$/, '')
  return { url: url.origin + path, query: url.search, format: formatIn(path) }
})

function fullUrl(channel: ChannelTarget, call: UpstreamCall): string {
  const { url, query, format } = place(channel)
  if (format !== 'generate-content') return url + query
  const verb = call.stream ? ':streamGenerateContent' : ':generateContent'
  const asksEvents = call.stream && call.altSse && !query.includes('alt=sse')
  const alt = asksEvents ? `${query === '' ? '?' : '&'}alt=sse` : ''
  return url.replace(/:\w+$/, verb) + query + alt
}

/**
 * Type 8: a full URL that is called as it stands, with `{model}` replaced by the model's name. Calls
 * that the URL is not for (counting tokens, another format that its owner lists) go to their own
 * endpoint beside it.
 */
export const custom: Adaptor = {
  ...compatible,
  endpointTypes: (channel) =>
    chosenEndpoints(channel) ??
    endpointsOr(() => [ENDPOINT_OF_FORMAT[place(channel).format]], ['openai']),
  target(channel, call) {
    const isItsOwn = call.verb === 'generate' && call.format === place(channel).format
    if (!isItsOwn && !isWholeEndpoint(channel.baseUrl)) {
      throw new GatewayError('format_not_served', {
        message: 'The URL of this custom channel does not serve such a call.',
      })
    }
    const beside = compatible.target(channel, call)
    const url = isItsOwn ? fullUrl(channel, call) : beside.url
    return { ...beside, url: url.replace(MODEL, encodeURIComponent(call.model)) }
  },
  modelList(channel) {
    const list = isWholeEndpoint(channel.baseUrl) ? compatible.modelList(channel) : null
    if (list === null || list.url.search(MODEL) >= 0) {
      throw new GatewayError('invalid_params', {
        message: 'The models behind a custom URL cannot be listed. Type their names.',
        field: 'models',
      })
    }
    return list
  },
}
