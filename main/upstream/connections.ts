import { type CheckAddress, connectorOf, type Way } from './connector.ts'
import { readProxy } from './proxy.ts'
import { Agent } from './undici-parts.ts'

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
  generation: number
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

type Pools = Map<string, Pool>

/** Those whose requests check no address. */
const uncheckedPools: Pools = new Map()
const checkedPools = new WeakMap<CheckAddress, Pools>()
/** The pool that was asked for last, which is mostly the next one too. */
let last: {
  proxy: string | null
  connectLimit: number
  check: CheckAddress | undefined
  pool: Pool
} | null = null
let uses = 0
/** Of pools that were made before it no connection is used any more. */
let generation = 0

function poolsOf(check: CheckAddress | undefined): Pools {
  if (!check) return uncheckedPools
  let pools = checkedPools.get(check)
  if (!pools) {
    pools = new Map()
    checkedPools.set(check, pools)
  }
  return pools
}

/** The pool that was used longest ago takes no more calls; those that it has go on to their end. */
function retireOne(pools: Pools): void {
  let oldest: [string, Pool] | null = null
  for (const entry of pools) if (!oldest || entry[1].lastUse < oldest[1].lastUse) oldest = entry
  if (!oldest) return
  pools.delete(oldest[0])
  void oldest[1].agent.close()
}

/** Calls from now on get new connections; those under way keep theirs to their end. */
export function retirePools(): void {
  generation++
  last = null
}

/**
 * The connections of all requests that go by this proxy (its URL; null = by none), may connect for so many
 * milliseconds, and check addresses in this way: a connection that is kept was checked as well. Throws
 * `channel_misconfigured` for a proxy that cannot be read.
 */
export function poolOf(
  proxy: string | null = null,
  connectLimit = CONNECT_LIMIT,
  check?: CheckAddress,
): Agent {
  if (last?.proxy === proxy && last.connectLimit === connectLimit && last.check === check) {
    last.pool.lastUse = ++uses
    return last.pool.agent
  }
  const pools = poolsOf(check)
  const name = `${connectLimit} ${proxy ?? ''}`
  let pool = pools.get(name)
  if (pool && pool.generation !== generation) {
    void pool.agent.close()
    pool = undefined
  }
  if (!pool) {
    const agent = newAgent({
      proxy: proxy ? readProxy(proxy) : null,
      connectLimit,
      check,
    })
    if (pools.size >= MOST_POOLS && !pools.has(name)) retireOne(pools)
    pool = { agent, lastUse: 0, generation }
    pools.set(name, pool)
  }
  pool.lastUse = ++uses
  last = { proxy, connectLimit, check, pool }
  return pool.agent
}
