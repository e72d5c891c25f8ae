import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { GatewayError } from '../../base/errors.ts'

/**
 * Throws for an address that must not be asked. Requests with the same function share connections, and share
 * them with no others.
 */
export type CheckAddress = (address: string, host: string) => void

/** Looks a name up once, and gives what was found to the connection only when all of it may be asked. */
export const checkedLookup =
  (check: CheckAddress): LookupFunction =>
  (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, [])
      try {
        for (const { address } of found) check(address, host)
      } catch (refusal) {
        return callback(refusal as Error, [])
      }
      const [first] = found
      if (options.all || !first) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }

/** A name that only the proxy can resolve cannot be checked. */
const notKnownHere = (host: string, cause: unknown): GatewayError =>
  new GatewayError('upstream_unreachable', {
    message: "This machine can't look up the upstream's host name.",
    reason: { code: 'name_unresolved' },
    adminMessage: `This machine can't look up the host name ${host}. Behind the system's proxy, addresses that an administrator entered are looked up and checked here first. The owner can enter this address instead.`,
    cause,
  })

/**
 * All addresses of a host, each of which may be asked, IPv4 first, since every proxy reaches those. Rejects with the
 * check's error, the signal's reason, or `upstream_unreachable` for a name that is not known here.
 */
export function checkedAddresses(
  host: string,
  check: CheckAddress,
  signal: AbortSignal,
): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) return giveUp()
    const take = (addresses: readonly string[]) => {
      try {
        for (const address of addresses) check(address, host)
      } catch (refusal) {
        return reject(refusal)
      }
      resolve([
        ...addresses.filter((one) => isIP(one) === 4),
        ...addresses.filter((one) => isIP(one) !== 4),
      ])
    }
    if (isIP(host) !== 0) return take([host])
    signal.addEventListener('abort', giveUp, { once: true })
    lookup(host, { all: true }, (error, found: LookupAddress[]) => {
      signal.removeEventListener('abort', giveUp)
      if (error) reject(notKnownHere(host, error))
      else take(found.map(({ address }) => address))
    })
  })
}
