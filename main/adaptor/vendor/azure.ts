import { GatewayError } from '../../base/errors.ts'
import { readOnce } from '../../base/read-once.ts'
import type { CallFormat, OtherFormat } from '../../convert/call-format.ts'
import type { Adaptor, ChannelTarget, UpstreamCall } from '../adaptor.ts'
import { modelNames } from '../model-names.ts'
import { passesHeader } from '../passed-headers.ts'
import { endpointPath } from '../url/endpoint-path.ts'
import { chosenEndpoints, OPENAI_ENDPOINTS, readOr } from '../url/endpoint-types.ts'
import { parseBaseUrl } from '../url/join-url.ts'
import { pathName } from '../url/path-name.ts'
import { azureSocketUrl } from '../url/realtime-url.ts'
import { anthropicHeaders, messagesQuery } from './anthropic-headers.ts'

/** Where a resource's own paths begin, so that a pasted URL can be cut there. */
const RESOURCE_PATH = /\/(?:openai|anthropic|models|api\/projects)(?:\/.*)?$/i

/** Versions of the API without dates: https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle */
const isUndated = (version: string): boolean => /^(?:v1|latest|preview)?$/i.test(version)

const versionQuery = (version: string): string => {
  if (!isUndated(version)) return `?api-version=${encodeURIComponent(version)}`
  return version.toLowerCase() === 'preview' ? '?api-version=preview' : ''
}

const asText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const place = readOnce((channel: ChannelTarget) => {
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

/** Formats that a deployment serves: https://learn.microsoft.com/azure/ai-foundry/openai/reference */
const ofDeployment: ReadonlySet<CallFormat> = new Set([
  'chat',
  'completions',
  'embeddings',
  'images',
  'image-edits',
  'transcriptions',
  'translations',
  'speech',
])

/** Responses, and what belongs to it, name the deployment in the body. */
const ofResource: ReadonlySet<CallFormat> = new Set(['responses', 'compact'])

function urlOf(channel: ChannelTarget, call: UpstreamCall): string {
  const { resource, version, responsesVersion } = place(channel)
  const { format, verb, model } = call
  const path = endpointPath(format, verb)?.path ?? null
  if (path !== null && format === 'messages') {
    // Claude in Foundry: https://learn.microsoft.com/azure/ai-foundry/foundry-models/how-to/use-foundry-models-claude
    return `${resource}/anthropic/v1${path}${messagesQuery(call.query)}`
  }
  if (path !== null && ofResource.has(format)) {
    const root = isUndated(responsesVersion) ? '/openai/v1' : '/openai'
    return resource + root + path + versionQuery(responsesVersion)
  }
  if (path !== null && ofDeployment.has(format)) {
    const deployment = `/openai/deployments/${pathName(model)}`
    const root = isUndated(version) ? '/openai/v1' : deployment
    return resource + root + path + versionQuery(version)
  }
  throw new GatewayError('format_not_served', {
    message: `An Azure OpenAI channel has no endpoint for this call (${format}, ${verb}). Choose another API format or channel.`,
    reason: {
      code: 'format_without_endpoint',
      vendor: 'Azure OpenAI',
      format: `${format}, ${verb}`,
    },
  })
}

function otherFormat(format: OtherFormat): OtherFormat | null {
  if (format === 'embed-content' || format === 'batch-embed-contents') return 'embeddings'
  const isServed = ofDeployment.has(format) || ofResource.has(format) || format === 'realtime'
  return isServed ? format : null
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
    readOr(() => place(channel).endpoints, chosenEndpoints(channel) ?? OPENAI_ENDPOINTS),
  target(channel, call) {
    const url = urlOf(channel, call)
    if (call.format === 'messages') {
      return { url, headers: anthropicHeaders(channel.key, 'x-api-key') }
    }
    return { url, headers: { 'api-key': channel.key } }
  },
  otherFormat,
  socketTarget(channel, call) {
    const { resource, version } = place(channel)
    const datedVersion = isUndated(version) ? null : version
    return {
      url: azureSocketUrl({ resource, datedVersion }, call),
      headers: { 'api-key': channel.key },
    }
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
