import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { connectorOf, type Way } from './connector.ts'
import { readProxy } from './proxy.ts'
import { Agent } from './undici-parts.ts'

/**
 * Throws for an address that must not be asked. Requests with the same function share connections, and share
 * them with no others.
 */
export type CheckAddress = (address: string, host: string) => void

/** How long connecting may take where nobody says, in milliseconds. */
const CONNECT_LIMIT = 10_000
/** Header bytes of an answer. */
const HEADERS_LIMIT = 64 * 1024
/** An idle connection is closed after 4 seconds, or when its upstream says, but never later than this. */
const LONGEST_IDLE = 60_000
/**
 * Pools that are kept, one for every proxy and time limit. One that is left behind, as by an edited proxy,
 * closes its connections within that time by itself; what is left is an empty table.
 */
const MOST_POOLS = 128

interface Pool {
  agent: Agent
  /** Of all uses of pools, the number of its last one. */
  lastUse: number
}

/** The time limits of undici (300 s each) are off: the relay has its own, which count the upstream's silence. */
const newAgent = (way: Way): Agent =>
  new Agent({
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: LONGEST_IDLE,
    maxHeaderSize: HEADERS_LIMIT,
    connect: connectorOf(way),
  })

const pools = new Map<string, Pool>()
/** The pool that was asked for last, which is mostly the next one too. */
let last: { proxy: string | null; connectLimit: number; pool: Pool } | null = null
const checkedAgents = new WeakMap<CheckAddress, Agent>()
let uses = 0

/** The pool that was used longest ago takes no more calls; those that it has go on to their end. */
function retireOne(): void {
  let oldest: [string, Pool] | null = null
  for (const entry of pools) if (!oldest || entry[1].lastUse < oldest[1].lastUse) oldest = entry
  if (!oldest) return
  pools.delete(oldest[0])
  void oldest[1].agent.close()
}

/**
 * The connections of all requests that go by this proxy (its URL; null = by none) and may connect for so many
 * milliseconds. Throws `channel_misconfigured` for a proxy that cannot be read.
 */
export function poolOf(proxy: string | null = null, connectLimit = CONNECT_LIMIT): Agent {
  if (last?.proxy === proxy && last.connectLimit === connectLimit) {
    last.pool.lastUse = ++uses
    return last.pool.agent
  }
  const name = `${connectLimit} ${proxy ?? ''}`
  let pool = pools.get(name)
  if (!pool) {
    const agent = newAgent({ proxy: proxy ? readProxy(proxy) : null, connectLimit })
    if (pools.size >= MOST_POOLS) retireOne()
    pool = { agent, lastUse: 0 }
    pools.set(name, pool)
  }
  pool.lastUse = ++uses
  last = { proxy, connectLimit, pool }
  return pool.agent
}

/** Looks a name up once, and gives what was found to the connection only when all of it may be asked. */
const checkedLookup =
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

/** The pool of requests that check addresses in this way: a connection that is kept was checked as well. */
export function checkedPool(check: CheckAddress): Agent {
  let checked = checkedAgents.get(check)
  if (!checked) {
    checked = newAgent({
      proxy: null,
      connectLimit: CONNECT_LIMIT,
      lookup: checkedLookup(check),
    })
    checkedAgents.set(check, checked)
  }
  return checked
}
