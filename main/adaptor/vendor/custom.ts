import { GatewayError } from '../../base/errors.ts'
import { readOnce } from '../../base/read-once.ts'
import type { CallFormat, OtherFormat } from '../../convert/call-format.ts'
import type { Adaptor, ChannelTarget, EndpointType, UpstreamCall } from '../adaptor.ts'
import { formatOfPath } from '../url/endpoint-path.ts'
import { chosenEndpoints, endpointTypeOf, readOr } from '../url/endpoint-types.ts'
import { isWholeEndpoint, parseBaseUrl } from '../url/join-url.ts'
import { pathName } from '../url/path-name.ts'
import { openAiCompatible } from './openai-compatible.ts'

const compatible = openAiCompatible({ type: 8, name: 'Custom', defaultBaseUrl: '' })

/** The parser writes the braces of a path as %7B and %7D. */
const MODEL = /(?:\{|%7B)model(?:\}|%7D)/gi

/** Any format of these can be converted to any other. */
const convertible: ReadonlySet<EndpointType> = new Set(['embeddings', 'jina-rerank'])

const place = readOnce((channel: ChannelTarget) => {
  const url = parseBaseUrl(channel.baseUrl)
  const path = url.pathname.replace(/\/$/, '')
  const format = formatOfPath(path)
  // Hugging Face's and Voyage's rankings have the path of everybody else's.
  const { rerank_format: chosen } = channel.settings
  const hasOwn = format === 'rerank' && (chosen === 'tei' || chosen === 'voyage')
  const own: CallFormat = hasOwn ? `${chosen}-rerank` : format
  return { url: url.origin + path, query: url.search, format: own }
})

function fullUrl(channel: ChannelTarget, call: UpstreamCall): string {
  const { url, query, format } = place(channel)
  if (format !== 'generate-content') return url + query
  const verb = call.stream ? ':streamGenerateContent' : ':generateContent'
  const asksEvents = call.stream && call.altSse && !query.includes('alt=sse')
  const alt = asksEvents ? `${query === '' ? '?' : '&'}alt=sse` : ''
  return url.replace(/:\w+$/, verb) + query + alt
}

function otherFormatAt(channel: ChannelTarget, format: OtherFormat): OtherFormat | null {
  const own = place(channel).format
  if (own === format) return format
  const type = endpointTypeOf(format)
  if (type === endpointTypeOf(own) && convertible.has(type)) return own as OtherFormat
  // A URL of conversations says nothing of the old completions beside it.
  if (format === 'completions' || !isWholeEndpoint(channel.baseUrl)) return null
  return compatible.otherFormat(format, channel)
}

/**
 * Type 8: a full URL that is called as it stands, with `{model}` replaced by the model's name. Calls
 * that the URL is not for (counting tokens, another format that its owner lists) go to their own
 * endpoint beside it.
 */
export const custom: Adaptor = {
  ...compatible,
  endpointTypes: (channel) =>
    chosenEndpoints(channel) ?? readOr(() => [endpointTypeOf(place(channel).format)], ['openai']),
  target(channel, call) {
    const isItsOwn = call.verb === 'generate' && call.format === place(channel).format
    if (!isItsOwn && !isWholeEndpoint(channel.baseUrl)) {
      throw new GatewayError('format_not_served', {
        message:
          'The URL of this custom channel does not serve this call. Choose another API format or channel.',
        reason: { code: 'custom_url_without_call' },
      })
    }
    const beside = compatible.target(channel, call)
    const url = isItsOwn ? fullUrl(channel, call) : beside.url
    return {
      ...beside,
      url: url.search(MODEL) < 0 ? url : url.replace(MODEL, pathName(call.model)),
    }
  },
  otherFormat: (format, channel) => readOr(() => otherFormatAt(channel, format), format),
  modelList(channel) {
    const list = isWholeEndpoint(channel.baseUrl) ? compatible.modelList(channel) : null
    if (list === null || list.url.search(MODEL) >= 0) {
      throw new GatewayError('invalid_params', {
        message: 'The models behind a custom URL cannot be listed. Type their names.',
        field: 'models',
        reason: { code: 'custom_url_lists_nothing' },
      })
    }
    return list
  },
}
