import { isDeepStrictEqual } from 'node:util'
import type { Channel, ChannelFields } from '../../../store/records/channels.ts'
import { type Addressed, type KeyPlace, keyPlaces } from './key-places.ts'

/** A change of who gets a channel's key. */
export interface AddressChange {
  /** The fields by which it comes about, in the names of the wire; never empty. */
  fields: string[]
  /** Origins that the key was and would be sent to, sorted. */
  origins: { before: string[]; after: string[] }
  /** Would connections go to another host, directly or through a proxy? */
  isElsewhere: boolean
}

const addressed = [
  ['type', 'type'],
  ['baseUrl', 'base_url'],
  ['preset', 'preset'],
  ['settings', 'settings'],
] as const satisfies readonly (readonly [keyof Addressed, string])[]

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort()

/** WebSockets go to the same host as calls. */
const originsOf = (places: readonly KeyPlace[]): string[] =>
  sorted(places.map(({ url }) => new URL(url.replace(/^ws/, 'http')).origin))

const proxyOf = ({ setting }: Pick<ChannelFields, 'setting'>): string => setting?.proxy ?? ''

/**
 * Effect of a channel's change on its key: whether it would go to another URL, in another header, through
 * another proxy, or beside other headers. Null where it would not. A path counts as well: behind one host
 * there may be several tenants.
 */
export function addressChange(before: Channel, after: ChannelFields): AddressChange | null {
  const [was, is] = [keyPlaces(before), keyPlaces(after)]
  const texts = (places: readonly KeyPlace[]) =>
    sorted(places.map(({ url, headers }) => `${url} ${headers}`))
  const isMoved = !isDeepStrictEqual(texts(was), texts(is))
  const origins = { before: originsOf(was), after: originsOf(is) }
  const hasOtherProxy = proxyOf(before) !== proxyOf(after)
  const fields = [
    ...addressed
      .filter(([name]) => isMoved && !isDeepStrictEqual(before[name], after[name]))
      .map(([, field]) => field),
    ...(hasOtherProxy ? ['proxy'] : []),
    ...(isDeepStrictEqual(before.headerOverride, after.headerOverride) ? [] : ['header_override']),
  ]
  if (fields.length === 0) return null
  const isElsewhere = hasOtherProxy || !isDeepStrictEqual(origins.before, origins.after)
  return { fields, origins, isElsewhere }
}
