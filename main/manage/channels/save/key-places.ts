import type {
  Adaptor,
  ChannelTarget,
  ChannelTargetSettings,
  UpstreamTarget,
} from '../../../adaptor/adaptor.ts'
import { adaptorOf } from '../../../adaptor/adaptors.ts'
import { ENDPOINT_OF_CALL } from '../../../adaptor/url/endpoint-types.ts'
import { isVersion } from '../../../adaptor/url/join-url.ts'
import { GatewayError } from '../../../base/errors.ts'
import type { CallFormat } from '../../../convert/call-format.ts'
import type { ChannelFields } from '../../../store/records/channels.ts'

/** A URL that a channel's key is sent to, and the names of the headers that carry it. */
export interface KeyPlace {
  url: string
  headers: string[]
}

/** Stands for the key in the headers that adaptors make. */
const KEY = 'the-key'

const formats = Object.keys(ENDPOINT_OF_CALL) as CallFormat[]
const verbs = ['generate', 'count-tokens'] as const
const sockets = ['realtime', 'responses'] as const
const anyCall = { model: 'model', stream: false, altSse: false, query: '' } as const

/** `/v1/models` and `/v1beta/models` have the same receiver, and a base URL may end in its version or not. */
function withoutVersion(url: string): string {
  const { protocol, host, pathname, search } = new URL(url)
  const segments = pathname.split('/').filter((segment) => !isVersion(segment))
  return `${protocol}//${host}${segments.join('/')}${search}`
}

/** A URL of the adaptor's, or null for a call that it has none for. */
function placeOf(make: () => UpstreamTarget | undefined): KeyPlace | null {
  try {
    const target = make()
    if (!target) return null
    const names = Object.keys(target.headers)
    return {
      url: withoutVersion(target.url),
      headers: names.filter((name) => target.headers[name]?.includes(KEY)),
    }
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}

function* placesOf(adaptor: Adaptor, target: ChannelTarget): Generator<KeyPlace | null> {
  for (const format of formats) {
    for (const verb of verbs) {
      yield placeOf(() => adaptor.target(target, { ...anyCall, format, verb }))
    }
  }
  for (const format of sockets) {
    yield placeOf(() => adaptor.socketTarget?.(target, { format, model: 'model', query: '' }))
  }
  const list = placeOf(() => adaptor.modelList(target))
  yield list
  for (const { url } of adaptor.balanceCalls?.(target) ?? []) {
    yield list && { ...list, url: withoutVersion(url) }
  }
}

/** Fields that decide where a channel's key is sent, besides its proxy and its header override. */
export type Addressed = Pick<ChannelFields, 'type' | 'baseUrl' | 'preset'> & {
  settings?: ChannelTargetSettings
}

/**
 * Where a channel's key can be sent: to every URL that the adaptor makes for a call, a list of models, a
 * balance or a WebSocket, each without the version of the API.
 */
export function keyPlaces(channel: Addressed): KeyPlace[] {
  const adaptor = adaptorOf(channel.type)
  if (!adaptor || adaptor.local) return []
  const { azure_responses_version: _version, ...settings } = channel.settings ?? {}
  const target: ChannelTarget = {
    id: 0,
    type: channel.type,
    baseUrl: channel.baseUrl ?? '',
    key: KEY,
    other: '',
    openaiOrganization: null,
    settings,
    preset: channel.preset ?? null,
  }
  return [...placesOf(adaptor, target)].filter((place) => place !== null)
}
