import { GatewayError } from '../../base/errors.ts'
import type { Sentence } from '../../base/reason.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Settings } from '../../store/state/settings.ts'
import type { CheckAddress } from '../../upstream/connect/checked-lookup.ts'
import type { ProxyChoice } from '../../upstream/connect/choose-connector.ts'
import type { CheckThrough } from '../../upstream/connect/connector.ts'
import type { TimeLimits } from '../../upstream/connect/time-limits.ts'
import { mayBeAsked } from '../../upstream/user-fetch.ts'

/** How a channel's upstream is reached. */
export interface ChannelConnection {
  proxy: ProxyChoice
  limits: TimeLimits
  checkAddress: CheckAddress
  checkThrough: CheckThrough
}

/** The options and proxies by which upstreams are reached. */
export interface ConnectionServices {
  settings: { readonly current: Readonly<Settings> }
  /** The system's proxy for a URL. */
  systemProxy(url: string): ProxyChoice
}

const refuse = ({ message, reason }: Sentence): GatewayError =>
  new GatewayError('channel_misconfigured', { message, reason, field: 'base_url' })

/** Link-local addresses and metadata services are asked for nobody. */
const checkForOwner: CheckAddress = (address, host) => {
  if (mayBeAsked(address, 'owner')) return
  throw refuse({
    message: `${host} is a link-local or metadata address, which no channel may use.`,
    reason: { code: 'address_link_local', host },
  })
}

const checkPublic: CheckAddress = (address, host) => {
  checkForOwner(address, host)
  if (mayBeAsked(address, 'anyone')) return
  throw refuse({
    message: `${host} leads to this machine or a private network. Only the owner may enter such an address.`,
    reason: { code: 'address_private', host },
  })
}

/** The addresses that a channel may be led to by names: those that the person who named its host may reach. */
const checkOf = ({ publicOnly }: Pick<Channel, 'publicOnly'>): CheckAddress =>
  publicOnly ? checkPublic : checkForOwner

type Limit = 'connect_seconds' | 'first_byte_seconds' | 'idle_seconds' | 'total_seconds'

/** In milliseconds: the channel's own limit, else the option's; 0 = none. */
function limitOf(settings: Channel['settings'], name: Limit, option: number): number {
  const own = settings[name]
  return (typeof own === 'number' ? own : option) * 1000 || Infinity
}

/**
 * The channel's own proxy, else the system's where the owner wants that; `url` is what is to be asked. The
 * system's is where it is, so that its address is not looked at. But it reaches private networks: where the
 * address is not the owner's, what is asked of it was looked up and checked here.
 */
export function proxyFor(
  channel: Pick<Channel, 'setting' | 'publicOnly'>,
  url: string,
  { settings, systemProxy }: ConnectionServices,
): Omit<ChannelConnection, 'limits'> {
  const own = channel.setting.proxy || null
  const checkAddress = checkOf(channel)
  if (own || !settings.current.UseSystemProxy) {
    return { proxy: own, checkAddress, checkThrough: 'proxy' }
  }
  const checkThrough = channel.publicOnly ? 'upstream' : 'nothing'
  return { proxy: systemProxy(url), checkAddress, checkThrough }
}

/** How long a channel's upstream may take. */
export function limitsOf(
  { settings }: Pick<Channel, 'settings'>,
  options: Readonly<Settings>,
): TimeLimits {
  return {
    connect: limitOf(settings, 'connect_seconds', options.UpstreamConnectSeconds),
    firstByte: limitOf(settings, 'first_byte_seconds', options.UpstreamFirstByteSeconds),
    idle: limitOf(settings, 'idle_seconds', options.UpstreamIdleSeconds),
    total: limitOf(settings, 'total_seconds', options.UpstreamTotalSeconds),
  }
}

/** The proxy and the time limits of one request to a channel's upstream. */
export function connectionOf(
  channel: Pick<Channel, 'setting' | 'settings' | 'publicOnly'>,
  url: string,
  services: ConnectionServices,
): ChannelConnection {
  const { proxy, checkAddress, checkThrough } = proxyFor(channel, url, services)
  const limits = limitsOf(channel, services.settings.current)
  // Without spreads: this runs once a call, and they cost more than all the rest of it.
  return { proxy, limits, checkAddress, checkThrough }
}
