import { GatewayError } from '../../base/errors.ts'
import { readOnce } from '../../base/read-once.ts'
import type { OtherFormat } from '../../convert/call-format.ts'
import type { Adaptor, ChannelTarget, EndpointType, ModelPage } from '../adaptor.ts'
import { modelNames } from '../model-names.ts'
import { passesHeader } from '../passed-headers.ts'
import { chosenEndpoints, readOr } from '../url/endpoint-types.ts'
import { geminiPath, isGeminiFormat } from '../url/gemini-path.ts'
import { isVersion, joinUrl, parseBaseUrl } from '../url/join-url.ts'

const DEFAULT_BASE_URL = 'https://generativelanguage.googleapis.com'

const ENDPOINTS: readonly EndpointType[] = ['gemini', 'embeddings', 'image-generation', 'audio']

/**
 * Images, sound and transcripts are all asked for by generateContent: https://ai.google.dev/gemini-api/docs
 * (image-generation, speech-generation, audio). What is missing here is not served.
 */
const otherFormats: Readonly<Partial<Record<OtherFormat, OtherFormat | 'generate-content'>>> = {
  embeddings: 'batch-embed-contents',
  'embed-content': 'embed-content',
  'batch-embed-contents': 'batch-embed-contents',
  images: 'generate-content',
  'image-edits': 'generate-content',
  transcriptions: 'generate-content',
  translations: 'generate-content',
  speech: 'generate-content',
}

/** Only a version: any other text would choose another path for the channel's key. */
function versionOf(other: string): string {
  const version = other.trim().replace(/^\/|\/$/g, '') || 'v1beta'
  if (isVersion(version)) return `/${version}`
  throw new GatewayError('channel_misconfigured', {
    message: `“${other}” in the field other isn't a version of the Gemini API. Enter one such as v1 or v1beta, or leave it empty.`,
    field: 'other',
    reason: { code: 'gemini_version_wrong', other },
  })
}

const place = readOnce((channel: ChannelTarget) => {
  // Google shows the base of its OpenAI layer (`…/v1beta/openai/`) on its own pages; the native API
  // is beside it.
  const baseUrl = (channel.baseUrl.trim() || DEFAULT_BASE_URL).replace(/\/openai\/*$/, '')
  const { hostname } = parseBaseUrl(baseUrl)
  return {
    baseUrl,
    isOwnHost: hostname.endsWith('.googleapis.com'),
    isGeminiApi: hostname === 'generativelanguage.googleapis.com',
    version: versionOf(channel.other),
    endpoints: chosenEndpoints(channel) ?? ENDPOINTS,
  }
})

/** One page of https://ai.google.dev/api/models#method:-models.list */
function readPage(body: unknown, firstUrl: string): ModelPage {
  const models = modelNames(body).map((name) => name.replace(/^models\//, ''))
  const token = (body as { nextPageToken?: unknown }).nextPageToken
  if (typeof token !== 'string' || token === '') return { models }
  return { models, next: `${firstUrl}&pageToken=${encodeURIComponent(token)}` }
}

const keyHeader = (key: string): Record<string, string> =>
  key === '' ? {} : { 'x-goog-api-key': key }

/**
 * Type 24: the Gemini API. `other` is the API version. `chat`, where the owner lists it, goes to
 * Google's OpenAI layer: https://ai.google.dev/gemini-api/docs/openai
 */
export const gemini: Adaptor = {
  type: 24,
  name: 'Gemini',
  defaultBaseUrl: DEFAULT_BASE_URL,
  endpointTypes: (channel) =>
    readOr(() => place(channel).endpoints, chosenEndpoints(channel) ?? ENDPOINTS),
  target(channel, call) {
    const { baseUrl, version } = place(channel)
    if (isGeminiFormat(call.format)) {
      return { url: joinUrl(baseUrl, geminiPath(call), version), headers: keyHeader(channel.key) }
    }
    if (call.format === 'chat' && call.verb === 'generate') {
      const url = joinUrl(baseUrl, '/openai/chat/completions', version)
      return { url, headers: { authorization: `Bearer ${channel.key}` } }
    }
    throw new GatewayError('format_not_served', {
      message: `A Gemini channel has no endpoint for the format “${call.format}”. Choose another API format or channel.`,
      reason: { code: 'format_without_endpoint', vendor: 'Gemini', format: call.format },
    })
  },
  checkOther: versionOf,
  cachedContents(channel) {
    const { baseUrl, version } = place(channel)
    return { url: joinUrl(baseUrl, '/cachedContents', version), headers: keyHeader(channel.key) }
  },
  otherFormat: (format) => otherFormats[format] ?? null,
  modelList(channel) {
    const { baseUrl, version } = place(channel)
    const url = `${joinUrl(baseUrl, '/models', version)}?pageSize=1000`
    return { url, headers: keyHeader(channel.key), parse: (body) => readPage(body, url) }
  },
  passesHeader: (name, channel, format) =>
    passesHeader(name, format, isGeminiFormat(format) && place(channel).isOwnHost),
  // For projects made since 2026-10-26; Vertex refuses the field: https://ai.google.dev/gemini-api/docs/logs-datasets
  storesUnasked: (channel) => place(channel).isGeminiApi,
  takesStreamOptions: (channel) => channel.settings.stream_options !== false,
}
