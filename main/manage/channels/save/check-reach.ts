import { isIP } from 'node:net'
import { GatewayError } from '../../../base/errors.ts'
import { hostOf } from '../../../base/net/host-of.ts'
import { isPublicAddress } from '../../../base/net/public-address.ts'
import type { ChannelFields } from '../../../store/records/channels.ts'
import { readProxy } from '../../../upstream/proxy/read-proxy.ts'
import type { OperationContext } from '../../operation/operation.ts'
import { signedIn } from '../../operation/signed-in.ts'
import { isForbiddenHost, isPrivateHost } from '../channel-base-url.ts'
import { type Addressed, keyPlaces } from './key-places.ts'

type Reached = Addressed & Pick<ChannelFields, 'setting'>

/** A host that connections would be made to. */
interface Stop {
  field: 'base_url' | 'setting'
  host: string
  /** Host and port, as it is told. */
  name: string
}

function stopsOf(channel: Reached): Stop[] {
  const stops = keyPlaces(channel).map(({ url }): Stop => {
    const place = new URL(url.replace(/^ws/, 'http'))
    return { field: 'base_url', host: hostOf(place), name: place.host }
  })
  const proxy = proxyStop(channel)
  return proxy ? [...stops, proxy] : stops
}

/** Null without a proxy, and for a stored one that cannot be read any more: no connection is made by that. */
function proxyStop({ setting }: Reached): Stop | null {
  if (!setting?.proxy) return null
  try {
    const { host, port } = readProxy(setting.proxy)
    const plain = host.replace(/\.$/, '').toLowerCase()
    return { field: 'setting', host: plain, name: `${host}:${port}` }
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}

/** Names are looked up when they are connected to; these can only be names of a private network. */
const isPublicHost = (host: string): boolean =>
  isIP(host) === 0 ? !isPrivateHost(host) : isPublicAddress(host)

/**
 * Throws for an address of a channel, or of its proxy, that who asks may not have asked: nobody a link-local
 * or metadata address (`invalid_params`), and nobody but the owner one of this machine or of its networks
 * (`forbidden`). What the channel had before may stay.
 */
export function checkReach(channel: Reached, context: OperationContext, before?: Reached): void {
  const known = new Set((before ? stopsOf(before) : []).map(({ field, name }) => field + name))
  const isOwner = signedIn(context).role === 100
  for (const { field, host, name } of stopsOf(channel)) {
    if (isForbiddenHost(host)) {
      throw new GatewayError('invalid_params', {
        message: `${name} is a link-local or metadata address, which no channel may use.`,
        field,
        reason: { code: 'address_forbidden', host: name },
      })
    }
    if (isOwner || known.has(field + name) || isPublicHost(host)) continue
    throw new GatewayError('forbidden', {
      message: `${name} is on this machine or a private network. Only the owner may enter such an address.`,
      field,
      reason: { code: 'address_private', host: name },
    })
  }
}
