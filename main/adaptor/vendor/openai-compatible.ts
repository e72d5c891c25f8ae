import { GatewayError } from '../../base/errors.ts'
import { readOnce } from '../../base/read-once.ts'
import type { CallFormat, OtherFormat } from '../../convert/call-format.ts'
import type { Adaptor, ChannelTarget, EndpointType, UpstreamCall } from '../adaptor.ts'
import type { BalanceCalls } from '../balance.ts'
import { modelNames } from '../model-names.ts'
import { passesHeader } from '../passed-headers.ts'
import { type Preset, presets } from '../presets.ts'
import { endpointPath } from '../url/endpoint-path.ts'
import { COMPATIBLE_ENDPOINTS, chosenEndpoints, readOr } from '../url/endpoint-types.ts'
import { geminiPath, isGeminiFormat } from '../url/gemini-path.ts'
import { joinBeside, joinUrl, parseBaseUrl } from '../url/join-url.ts'
import { openAiSocketUrl } from '../url/realtime-url.ts'
import { anthropicAuth, anthropicHeaders, messagesQuery } from './anthropic-headers.ts'

/** Types whose preset may be told by the address alone: the ones that speak OpenAI's formats. */
const OTHER_FORMATS = new Set([3, 14, 24, 900])

const isLoopback = (url: URL): boolean => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)

/** Presets of public vendors by origin; a port of this machine proves nothing. */
const byOrigin = new Map<string, { preset: Preset; path: string }[]>()
for (const preset of presets) {
  if (preset.base_url === '' || OTHER_FORMATS.has(preset.type)) continue
  const url = parseBaseUrl(preset.base_url)
  if (isLoopback(url)) continue
  const rows = byOrigin.get(url.origin) ?? []
  byOrigin.set(url.origin, [...rows, { preset, path: url.pathname }])
}

/**
 * The preset that a channel was made from or, for one made without (by another tool, through the API),
 * the one of the vendor whose address it has. `defaultBaseUrl` stands for an empty base URL.
 */
function presetOf(channel: ChannelTarget, defaultBaseUrl: string): Preset | undefined {
  const named = presets.find(
    (preset) => preset.id === channel.preset && preset.type === channel.type,
  )
  const baseUrl = channel.baseUrl || defaultBaseUrl
  if (named || baseUrl === '') return named
  const url = parseBaseUrl(baseUrl)
  const rows = byOrigin.get(url.origin) ?? []
  // Several presets can share a host (a coding plan beside the plain API).
  return (rows.find((row) => url.pathname.startsWith(row.path)) ?? rows[0])?.preset
}

/** Differences between OpenAI-compatible vendors. */
export interface CompatibleVendor {
  type: number
  name: string
  defaultBaseUrl: string
  /** Where the API is served, when it is not `/v1` and the vendor's preset does not say so. */
  root?: string
  /** Formats that it serves, where no preset says so. */
  usualEndpoints?: readonly EndpointType[]
  /** Other addresses from the vendor's pages, and the base URL that each stands for. */
  cleanBaseUrl?: (baseUrl: string) => string
  /** False where the vendor refuses `stream_options` and no preset says so. */
  streamOptions?: false
  /** Path of the account's balance. */
  balance?: BalanceCalls
  /** In which format it takes a call instead of the client's own; null where it does not take it. */
  otherFormats?: OtherFormats
  /** The vendor's own host, when that serves other things than the hosts that imitate it. */
  ownHost?: {
    is: (hostname: string) => boolean
    endpoints: readonly EndpointType[]
    otherFormats: OtherFormats
  }
}

type OtherFormats = Readonly<Partial<Record<OtherFormat, OtherFormat | null>>>

/** How a host is asked for a ranking: as Jina and vLLM are, as Cohere is, or as Hugging Face's TEI is. */
type RerankFormat = 'rerank' | 'cohere-rerank' | 'tei-rerank' | 'voyage-rerank'

/** Values worked out for one channel. */
interface Place {
  baseUrl: string
  root: string
  /** Base of calls in Anthropic's format. */
  anthropicBaseUrl: string
  endpoints: readonly EndpointType[]
  streamOptions: boolean
  rerankFormat: RerankFormat
  completions: boolean
  otherFormats: OtherFormats
  isOwnHost: boolean
  /** URLs that do not depend on the model, by verb and format. */
  urls: Readonly<Record<UpstreamCall['verb'], Map<CallFormat, string>>>
}

const asText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const rootOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '')

function rerankFormatOf(chosen: unknown): RerankFormat {
  const isNamed = chosen === 'tei' || chosen === 'cohere' || chosen === 'voyage'
  return isNamed ? `${chosen}-rerank` : 'rerank'
}

function placeOf(channel: ChannelTarget, vendor: CompatibleVendor): Place {
  const preset = presetOf(channel, vendor.defaultBaseUrl)
  const typed = channel.baseUrl.trim() || preset?.base_url || vendor.defaultBaseUrl
  const baseUrl = vendor.cleanBaseUrl?.(typed) ?? typed
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
  const { stream_options, rerank_format, completions } = channel.settings
  return {
    baseUrl,
    root: preset?.base_url ? rootOf(preset.base_url) : (vendor.root ?? '/v1'),
    anthropicBaseUrl,
    endpoints:
      chosenEndpoints(channel) ?? usual.filter((type) => type !== 'anthropic' || hasAnthropic),
    streamOptions: (stream_options ?? preset?.stream_options ?? vendor.streamOptions) !== false,
    rerankFormat: rerankFormatOf(rerank_format ?? preset?.rerank_format),
    completions: (completions ?? preset?.completions) !== false,
    otherFormats: { ...vendor.otherFormats, ...ownHost?.otherFormats },
    isOwnHost: ownHost !== undefined,
    urls: { generate: new Map(), 'count-tokens': new Map() },
  }
}

function urlOf(place: Place, call: UpstreamCall): string {
  if (isGeminiFormat(call.format)) return joinUrl(place.baseUrl, geminiPath(call), '/v1beta')
  const urls = place.urls[call.verb]
  let url = urls.get(call.format)
  if (url === undefined) {
    url = endpointUrl(place, call)
    urls.set(call.format, url)
  }
  return call.format === 'messages' ? url + messagesQuery(call.query) : url
}

function endpointUrl(place: Place, { format, verb }: UpstreamCall): string {
  const endpoint = endpointPath(format, verb)
  if (endpoint === null) {
    throw new GatewayError('format_not_served', {
      message:
        verb === 'count-tokens'
          ? `The format “${format}” has no endpoint that counts tokens. Choose another API format or channel.`
          : `An OpenAI-compatible channel has no endpoint for the format “${format}”. Choose another API format or channel.`,
      reason:
        verb === 'count-tokens'
          ? { code: 'format_without_count', format }
          : { code: 'format_without_endpoint', vendor: 'OpenAI', format },
    })
  }
  if (format === 'messages') return joinUrl(place.anthropicBaseUrl, endpoint.path)
  const join = endpoint.beside ? joinBeside : joinUrl
  return join(place.baseUrl, endpoint.path, place.root)
}

/** Embeddings have one format here and completions may be missing; rankings come in three. */
function otherFormatAt(place: Place, format: OtherFormat): OtherFormat | null {
  const own = place.otherFormats[format]
  if (own !== undefined) return own
  if (format === 'completions' && !place.completions) return null
  if (format === 'rerank' || format === 'cohere-rerank') return place.rerankFormat
  return format === 'embed-content' || format === 'batch-embed-contents' ? 'embeddings' : format
}

/** Headers of a call: the key in the format's own way, and as Bearer, which every host takes. */
function headersOf(channel: ChannelTarget, format: CallFormat): Record<string, string> {
  const { key } = channel
  if (format === 'messages') {
    return anthropicHeaders(key, anthropicAuth(channel.settings.anthropic_auth, 'both'))
  }
  const headers: Record<string, string> = {}
  if (key !== '') headers.authorization = `Bearer ${key}`
  if (key !== '' && isGeminiFormat(format)) headers['x-goog-api-key'] = key
  if (channel.openaiOrganization) headers['openai-organization'] = channel.openaiOrganization
  return headers
}

/** No call goes there as a conversation that is none. */
interface CompatibleAdaptor extends Adaptor {
  otherFormat(format: OtherFormat, channel: ChannelTarget): OtherFormat | null
}

/**
 * An adaptor for a vendor that serves OpenAI's API at an address of its own, and perhaps Anthropic's
 * beside it. Further facts of the vendor (root, endpoint types, second address) are in its preset.
 */
export function openAiCompatible(vendor: CompatibleVendor): CompatibleAdaptor {
  const { balance } = vendor
  const place = readOnce((channel: ChannelTarget) => placeOf(channel, vendor))
  return {
    type: vendor.type,
    name: vendor.name,
    defaultBaseUrl: vendor.defaultBaseUrl,
    endpointTypes: (channel) =>
      readOr(
        () => place(channel).endpoints,
        chosenEndpoints(channel) ?? vendor.usualEndpoints ?? COMPATIBLE_ENDPOINTS,
      ),
    target: (channel, call) => ({
      url: urlOf(place(channel), call),
      headers: headersOf(channel, call.format),
    }),
    otherFormat: (format, channel) => readOr(() => otherFormatAt(place(channel), format), format),
    socketTarget: (channel, call) => ({
      url: openAiSocketUrl(place(channel), call),
      headers: headersOf(channel, call.format),
    }),
    modelList: (channel) => ({
      url: joinUrl(place(channel).baseUrl, '/models', place(channel).root),
      headers: headersOf(channel, 'chat'),
      parse: (body) => ({ models: modelNames(body) }),
    }),
    ...(balance ? { balanceCalls: (channel) => balance(place(channel)) } : {}),
    passesHeader(name, channel, format) {
      // Another vendor's format is never the host's own.
      const isForeign = format === 'messages' || isGeminiFormat(format)
      return passesHeader(name, format, !isForeign && place(channel).isOwnHost)
    },
    takesStreamOptions: (channel) => place(channel).streamOptions,
  }
}
