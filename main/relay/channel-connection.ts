import type { Channel } from '../store/channels.ts'
import type { Settings } from '../store/settings.ts'
import { systemProxy } from '../upstream/system-proxy.ts'
import type { TimeLimits } from '../upstream/time-limits.ts'

/** How a channel's upstream is reached. */
export interface ChannelConnection {
  /** URL of a proxy; null = none. */
  proxy: string | null
  limits: TimeLimits
}

type Limit = 'connect_seconds' | 'first_byte_seconds' | 'idle_seconds' | 'total_seconds'

/** In milliseconds: the channel's own limit, else the option's; 0 = none. */
function limitOf(settings: Channel['settings'], name: Limit, option: number): number {
  const own = settings[name]
  return (typeof own === 'number' ? own : option) * 1000 || Infinity
}

/** The channel's own proxy, else the system's where the owner wants that; `url` is what is to be asked. */
export function proxyOf(
  { setting }: Pick<Channel, 'setting'>,
  url: string,
  options: Readonly<Settings>,
): string | null {
  return setting.proxy || (options.UseSystemProxy ? systemProxy(url) : null)
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
  channel: Pick<Channel, 'setting' | 'settings'>,
  url: string,
  options: Readonly<Settings>,
): ChannelConnection {
  return { proxy: proxyOf(channel, url, options), limits: limitsOf(channel, options) }
}
