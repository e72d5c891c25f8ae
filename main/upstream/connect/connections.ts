import { trustVersion } from '../tls/trust.ts'
import type { CheckAddress } from './checked-lookup.ts'
import { type ConnectorChoice, chooseConnector, type ProxyChoice } from './choose-connector.ts'
import type { CheckThrough } from './connector.ts'
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
  /** Result of `versionOf` when its connections were made. */
  version: number
  /** Value of the counter `uses` when it was last used. */
  lastUse: number
}

/** The time limits of undici (300 s each) are off: the relay has its own, which count the upstream's silence. */
const newAgent = (choice: ConnectorChoice): Agent =>
  new Agent({
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: LONGEST_IDLE,
    maxHeaderSize: HEADERS_LIMIT,
    connect: chooseConnector(choice),
  })

type Pools = Map<string, Pool>

/** Those whose requests check no address. */
const uncheckedPools: Pools = new Map()
const checkedPools = new WeakMap<CheckAddress, Pools>()
/** The pool that was asked for last, which is mostly the next one too. */
let last: {
  proxy: ProxyChoice
  connectLimit: number
  check: CheckAddress | undefined
  checkThrough: CheckThrough | undefined
  pool: Pool
} | null = null
let uses = 0
/** Raised to retire all pools made before. */
let generation = 0

/**
 * Another number after every change of what is trusted or of what the system says of proxies, and after `retirePools`:
 * each of the three only grows.
 */
const versionOf = (proxy: ProxyChoice): number =>
  generation + trustVersion() + (proxy !== null && typeof proxy === 'object' ? proxy.version : 0)

/** There may be several sources of proxies, though a desktop has one. */
const sourceNumbers = new WeakMap<object, number>()
let sources = 0

function nameOf(proxy: ProxyChoice): string {
  if (proxy === null || typeof proxy === 'string') return proxy ?? ''
  const number = sourceNumbers.get(proxy) ?? ++sources
  sourceNumbers.set(proxy, number)
  // No URL begins like that.
  return ` ${number}`
}

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
  proxy: ProxyChoice = null,
  connectLimit = CONNECT_LIMIT,
  check?: CheckAddress,
  checkThrough?: CheckThrough,
): Agent {
  const version = versionOf(proxy)
  if (
    last?.proxy === proxy &&
    last.connectLimit === connectLimit &&
    last.check === check &&
    last.checkThrough === checkThrough &&
    last.pool.version === version
  ) {
    last.pool.lastUse = ++uses
    return last.pool.agent
  }
  const pools = poolsOf(check)
  const name = `${connectLimit} ${checkThrough ?? ''} ${nameOf(proxy)}`
  let pool = pools.get(name)
  if (pool && pool.version !== version) {
    pools.delete(name)
    // Calls that it has go on to their end.
    void pool.agent.close()
    pool = undefined
  }
  if (!pool) {
    const agent = newAgent({ proxy, connectLimit, check, checkThrough })
    if (pools.size >= MOST_POOLS) retireOne(pools)
    pool = { agent, version, lastUse: 0 }
    pools.set(name, pool)
  }
  pool.lastUse = ++uses
  last = { proxy, connectLimit, check, checkThrough, pool }
  return pool.agent
}
