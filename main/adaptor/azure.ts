import { GatewayError } from '../base/errors.ts'
import type { Adaptor, ChannelTarget, UpstreamCall } from './adaptor.ts'
import { anthropicHeaders, messagesQuery } from './anthropic-headers.ts'
import { chosenEndpoints, endpointsOr, OPENAI_ENDPOINTS } from './endpoint-types.ts'
import { parseBaseUrl } from './join-url.ts'
import { modelNames } from './model-names.ts'
import { passesHeader } from './passed-headers.ts'
import { perChannel } from './per-channel.ts'

/** Where a resource's own paths begin, so that a pasted URL can be cut there. */
const RESOURCE_PATH = /\/(?:openai|anthropic|models|api\/projects)(?:\/.*)?$/i

/** Versions of the API without dates: https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle */
const isUndated = (version: string): boolean => /^(?:v1|latest|preview)?$/i.test(version)

const versionQuery = (version: string): string => {
  if (!isUndated(version)) return `?api-version=${encodeURIComponent(version)}`
  return version.toLowerCase() === 'preview' ? '?api-version=preview' : ''
}

const asText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const place = perChannel((channel: ChannelTarget) => {
  const url = parseBaseUrl(channel.baseUrl)
  const pastedVersion = /\/openai\/v1(?:\/|$)/i.test(url.pathname)
    ? 'v1'
    : (url.searchParams.get('api-version') ?? '')
  const version = channel.other.trim() || pastedVersion
  return {
    resource: url.origin + url.pathname.replace(RESOURCE_PATH, '').replace(/\/+$/, ''),
    version,
    responsesVersion: asText(channel.settings.azure_responses_version) || version,
    endpoints: chosenEndpoints(channel) ?? OPENAI_ENDPOINTS,
  }
})

function urlOf(channel: ChannelTarget, call: UpstreamCall): string {
  const { resource, version, responsesVersion } = place(channel)
  const counts = call.verb === 'count-tokens'
  if (call.format === 'messages') {
    // Claude in Foundry: https://learn.microsoft.com/azure/ai-foundry/foundry-models/how-to/use-foundry-models-claude
    const path = `/anthropic/v1/messages${counts ? '/count_tokens' : ''}`
    return resource + path + messagesQuery(call.query)
  }
  if (call.format === 'responses') {
    const root = isUndated(responsesVersion) ? '/openai/v1' : '/openai'
    const path = `/responses${counts ? '/input_tokens' : ''}`
    return resource + root + path + versionQuery(responsesVersion)
  }
  if (call.format === 'chat' && !counts) {
    const root = isUndated(version)
      ? '/openai/v1'
      : `/openai/deployments/${encodeURIComponent(call.model)}`
    return `${resource}${root}/chat/completions${versionQuery(version)}`
  }
  throw new GatewayError('format_not_served', {
    message: `An Azure OpenAI channel has no endpoint for this call (${call.format}, ${call.verb}).`,
  })
}

/**
 * Type 3: Azure OpenAI. The model is the deployment's name. `other` is the API version: empty, `v1` or
 * `preview` call `/openai/v1/…`, a date calls `/openai/deployments/{model}/…?api-version=…`.
 */
export const azure: Adaptor = {
  type: 3,
  name: 'Azure OpenAI',
  defaultBaseUrl: '',
  endpointTypes: (channel) =>
    endpointsOr(() => place(channel).endpoints, chosenEndpoints(channel) ?? OPENAI_ENDPOINTS),
  target(channel, call) {
    const url = urlOf(channel, call)
    if (call.format === 'messages') {
      return { url, headers: anthropicHeaders(channel.key, 'x-api-key') }
    }
    return { url, headers: { 'api-key': channel.key } }
  },
  modelList(channel) {
    const { resource, version } = place(channel)
    const root = isUndated(version) ? '/openai/v1' : '/openai'
    return {
      url: `${resource}${root}/models${versionQuery(version)}`,
      headers: { 'api-key': channel.key },
      parse: (body) => ({ models: modelNames(body) }),
    }
  },
  passesHeader: (name, _channel, format) => passesHeader(name, format, false),
  takesStreamOptions: (channel) => channel.settings.stream_options !== false,
}
