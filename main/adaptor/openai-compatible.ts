import { GatewayError } from '../base/errors.ts'
import type { WireFormat } from '../convert/exchange.ts'
import type { Adaptor, ChannelTarget, EndpointType, UpstreamCall } from './adaptor.ts'
import { anthropicAuth, anthropicHeaders, messagesQuery } from './anthropic-headers.ts'
import { COMPATIBLE_ENDPOINTS, chosenEndpoints, endpointsOr } from './endpoint-types.ts'
import { geminiPath } from './gemini-path.ts'
import { joinUrl, parseBaseUrl } from './join-url.ts'
import { modelNames } from './model-names.ts'
import { passesHeader } from './passed-headers.ts'
import { perChannel } from './per-channel.ts'
import { presetOf } from './preset-of.ts'

/** What tells one OpenAI-compatible vendor from the next. */
export interface CompatibleVendor {
  type: number
  name: string
  defaultBaseUrl: string
  /** Where the API is served, when it is not `/v1` and the vendor's preset does not say so. */
  root?: string
  /** What it serves, where no preset says so. */
  usualEndpoints?: readonly EndpointType[]
  /** The vendor's own host, when that serves more than the hosts that imitate it. */
  ownHost?: { is: (hostname: string) => boolean; endpoints: readonly EndpointType[] }
}

/** What was worked out for one channel. */
interface Place {
  baseUrl: string
  root: string
  /** Base of calls in Anthropic's format. */
  anthropicBaseUrl: string
  endpoints: readonly EndpointType[]
  streamOptions: boolean
  isOwnHost: boolean
  /** URLs that do not depend on the model, by endpoint. */
  urls: Map<string, string>
}

const asText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const rootOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '')

function placeOf(channel: ChannelTarget, vendor: CompatibleVendor): Place {
  const preset = presetOf(channel, vendor.defaultBaseUrl)
  const baseUrl = channel.baseUrl.trim() || preset?.base_url || vendor.defaultBaseUrl
  const url = parseBaseUrl(baseUrl)
  // A preset's second address is for the vendor's host: a key must not leave for it from a channel
  // that its owner pointed elsewhere.
  const isPresetHost = preset?.base_url
    ? url.origin === new URL(preset.base_url).origin
    : preset !== undefined
  const anthropicBaseUrl =
    asText(channel.settings.anthropic_base_url) ||
    (isPresetHost && preset?.anthropic_base_url) ||
    baseUrl
  const ownHost = vendor.ownHost?.is(url.hostname) ? vendor.ownHost : undefined
  const usual =
    ownHost?.endpoints ?? preset?.endpoint_types ?? vendor.usualEndpoints ?? COMPATIBLE_ENDPOINTS
  const hasAnthropic = !preset?.anthropic_base_url || anthropicBaseUrl !== baseUrl
  return {
    baseUrl,
    root: preset?.base_url ? rootOf(preset.base_url) : (vendor.root ?? '/v1'),
    anthropicBaseUrl,
    endpoints:
      chosenEndpoints(channel) ?? usual.filter((type) => type !== 'anthropic' || hasAnthropic),
    streamOptions: (channel.settings.stream_options ?? preset?.stream_options) !== false,
    isOwnHost: ownHost !== undefined,
    urls: new Map(),
  }
}

function urlOf(place: Place, call: UpstreamCall): string {
  const endpoint = endpointOf(call)
  if (endpoint === null) {
    return joinUrl(place.baseUrl, geminiPath(call), '/v1beta')
  }
  let url = place.urls.get(endpoint)
  if (url === undefined) {
    url =
      call.format === 'messages'
        ? joinUrl(place.anthropicBaseUrl, endpoint)
        : joinUrl(place.baseUrl, endpoint, place.root)
    place.urls.set(endpoint, url)
  }
  return call.format === 'messages' ? url + messagesQuery(call.query) : url
}

/** The endpoint's path behind the version; null for Gemini's, which holds the model. */
function endpointOf(call: UpstreamCall): string | null {
  const counts = call.verb === 'count-tokens'
  switch (call.format) {
    case 'messages':
      return counts ? '/messages/count_tokens' : '/messages'
    case 'responses':
      return counts ? '/responses/input_tokens' : '/responses'
    case 'generate-content':
      return null
    case 'chat':
      if (!counts) return '/chat/completions'
  }
  throw new GatewayError('format_not_served', {
    message: 'Chat Completions has no endpoint that counts tokens.',
  })
}

/** Headers of a call: the key in the format's own way, and as Bearer, which every host takes. */
function headersOf(channel: ChannelTarget, format: WireFormat): Record<string, string> {
  const { key } = channel
  if (format === 'messages') {
    return anthropicHeaders(key, anthropicAuth(channel.settings.anthropic_auth, 'both'))
  }
  const headers: Record<string, string> = {}
  if (key !== '') headers.authorization = `Bearer ${key}`
  if (key !== '' && format === 'generate-content') headers['x-goog-api-key'] = key
  if (channel.openaiOrganization) headers['openai-organization'] = channel.openaiOrganization
  return headers
}

/**
 * An adaptor for a vendor that serves OpenAI's API at an address of its own, and perhaps Anthropic's
 * beside it. Further facts of the vendor (root, endpoint types, second address) are in its preset.
 */
export function openAiCompatible(vendor: CompatibleVendor): Adaptor {
  const place = perChannel((channel) => placeOf(channel, vendor))
  return {
    type: vendor.type,
    name: vendor.name,
    defaultBaseUrl: vendor.defaultBaseUrl,
    endpointTypes: (channel) =>
      endpointsOr(
        () => place(channel).endpoints,
        chosenEndpoints(channel) ?? vendor.usualEndpoints ?? COMPATIBLE_ENDPOINTS,
      ),
    target: (channel, call) => ({
      url: urlOf(place(channel), call),
      headers: headersOf(channel, call.format),
    }),
    modelList: (channel) => ({
      url: joinUrl(place(channel).baseUrl, '/models', place(channel).root),
      headers: headersOf(channel, 'chat'),
      parse: (body) => ({ models: modelNames(body) }),
    }),
    passesHeader: (name, channel, format) => passesHeader(name, format, place(channel).isOwnHost),
    takesStreamOptions: (channel) => place(channel).streamOptions,
  }
}
