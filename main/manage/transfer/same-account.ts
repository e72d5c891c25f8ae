import { adaptorOf } from '../../adaptor/adaptors.ts'
import { isVersion, parseBaseUrl } from '../../adaptor/url/join-url.ts'
import { keyLines } from '../../relay/channel/channel-keys.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { ChannelDraft } from '../../transfer/transfer.ts'

type Account = Pick<ChannelDraft, 'type' | 'base_url' | 'keys'>

/** `https://api.example.com/v1/`, the same without its version, and nothing where that is the type's own: one place. */
function addressOf(type: number, baseUrl: string | null): string {
  const typed = baseUrl || adaptorOf(type)?.defaultBaseUrl || ''
  if (typed === '') return ''
  try {
    const { origin, pathname } = parseBaseUrl(typed)
    const segments = pathname.split('/').filter((segment) => segment !== '')
    if (isVersion(segments.at(-1))) segments.pop()
    return [origin, ...segments].join('/')
  } catch {
    return typed
  }
}

/** Do calls go to the same vendor at the same address? */
export const isSamePlace = ({ type, base_url }: Omit<Account, 'keys'>, channel: Channel): boolean =>
  type === channel.type && addressOf(type, base_url) === addressOf(type, channel.baseUrl)

/** The channels that have one of these keys at the same place. */
export function channelsOfAccount(account: Account, channels: readonly Channel[]): Channel[] {
  const keys = new Set(account.keys)
  return channels.filter(
    (channel) =>
      isSamePlace(account, channel) && keyLines(channel.key).some((key) => keys.has(key)),
  )
}
