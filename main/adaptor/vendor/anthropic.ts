import { GatewayError } from '../../base/errors.ts'
import { readOnce } from '../../base/read-once.ts'
import type { Adaptor, ChannelTarget, ModelPage } from '../adaptor.ts'
import { modelNames } from '../model-names.ts'
import { passesHeader } from '../passed-headers.ts'
import { chosenEndpoints, readOr } from '../url/endpoint-types.ts'
import { joinUrl, parseBaseUrl } from '../url/join-url.ts'
import { anthropicAuth, anthropicHeaders, messagesQuery } from './anthropic-headers.ts'

const DEFAULT_BASE_URL = 'https://api.anthropic.com'

const place = readOnce((channel: ChannelTarget) => {
  const baseUrl = channel.baseUrl.trim() || DEFAULT_BASE_URL
  const isOwnHost = parseBaseUrl(baseUrl).hostname === 'api.anthropic.com'
  return {
    isOwnHost,
    messages: joinUrl(baseUrl, '/messages'),
    countTokens: joinUrl(baseUrl, '/messages/count_tokens'),
    models: joinUrl(baseUrl, '/models'),
    chat: joinUrl(baseUrl, '/chat/completions'),
    endpoints: chosenEndpoints(channel) ?? (['anthropic'] as const),
    // Compatible hosts differ in which of the two they read; Anthropic takes either.
    auth: anthropicAuth(channel.settings.anthropic_auth, isOwnHost ? 'x-api-key' : 'both'),
  }
})

/** One page of https://docs.anthropic.com/en/api/models-list : `{data, has_more, last_id}`. */
function readPage(body: unknown, firstUrl: string): ModelPage {
  const models = modelNames(body)
  const page = body as { has_more?: unknown; last_id?: unknown }
  if (page.has_more !== true || typeof page.last_id !== 'string') return { models }
  return { models, next: `${firstUrl}&after_id=${encodeURIComponent(page.last_id)}` }
}

/**
 * Type 14: Anthropic, and hosts that speak its Messages API. `chat`, where the owner lists it, goes to
 * the vendor's OpenAI layer: https://docs.anthropic.com/en/api/openai-sdk
 */
export const anthropic: Adaptor = {
  type: 14,
  name: 'Anthropic',
  defaultBaseUrl: DEFAULT_BASE_URL,
  endpointTypes: (channel) =>
    readOr(() => place(channel).endpoints, chosenEndpoints(channel) ?? ['anthropic']),
  target(channel, call) {
    const { messages, countTokens, chat, auth } = place(channel)
    if (call.format === 'messages') {
      const url = call.verb === 'count-tokens' ? countTokens : messages
      return { url: url + messagesQuery(call.query), headers: anthropicHeaders(channel.key, auth) }
    }
    if (call.format === 'chat' && call.verb === 'generate') {
      return { url: chat, headers: { authorization: `Bearer ${channel.key}` } }
    }
    throw new GatewayError('format_not_served', {
      message: `An Anthropic channel has no endpoint for the format “${call.format}”. Choose another API format or channel.`,
      reason: { code: 'format_without_endpoint', vendor: 'Anthropic', format: call.format },
    })
  },
  // https://docs.anthropic.com/en/api/overview : conversations and their tokens, nothing else.
  otherFormat: () => null,
  modelList(channel) {
    const { models, auth } = place(channel)
    const url = `${models}?limit=1000`
    return {
      url,
      headers: anthropicHeaders(channel.key, auth),
      parse: (body) => readPage(body, url),
    }
  },
  passesHeader: (name, channel, format) =>
    passesHeader(name, format, format === 'messages' && place(channel).isOwnHost),
  takesStreamOptions: (channel) => channel.settings.stream_options !== false,
}
