import { GatewayError } from '../../base/errors.ts'
import type { CheckAddress } from '../connect/checked-lookup.ts'
import { type CheckThrough, connectorOf } from '../connect/connector.ts'
import type { buildConnector } from '../connect/undici-parts.ts'
import { upstreamFailure } from '../failure.ts'
import { UnusableProxy } from './proxy-failure.ts'
import type { ListedProxy } from './proxy-list.ts'
import type { SystemProxies } from './system-proxies.ts'

interface ListedConnectorOptions {
  proxies: SystemProxies
  /** Milliseconds for all proxies together, and as many for finding them; Infinity = no limit. */
  connectLimit: number
  check?: CheckAddress | undefined
  checkThrough?: CheckThrough | undefined
}

type Made = Parameters<buildConnector.Callback>

/** Error codes of a direct connection to an address where nothing listens. */
const unreachable: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT'],
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Can another proxy help? Not where the upstream or this one has refused. */
function isUnusable(error: Error, proxy: ListedProxy): boolean {
  if (proxy) return error instanceof UnusableProxy
  const { code } = (error.cause ?? {}) as { code?: unknown }
  return unreachable.has(code)
}

async function findProxies(
  proxies: SystemProxies,
  origin: string,
  limit: number,
): Promise<readonly ListedProxy[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    if (!Number.isFinite(limit)) return
    const seconds = limit / 1000
    const fail = () =>
      reject(
        new GatewayError('upstream_timeout', {
          message: `The system did not say within ${seconds} seconds (the limit for connecting) which proxy to use for the upstream.`,
          reason: { code: 'system_proxies_late', seconds },
          cause: { code: 'UND_ERR_CONNECT_TIMEOUT' },
        }),
      )
    timer = setTimeout(fail, limit).unref()
  })
  try {
    return await Promise.race([proxies.find(origin), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Makes connections by the proxies that the system names: the first that can be used, each of which has its part of the
 * time. The address of a proxy is the system's affair and not checked, that of the upstream is.
 */
export function listedConnector({
  proxies,
  connectLimit,
  check,
  checkThrough,
}: ListedConnectorOptions): buildConnector.connector {
  const connectors = new Map<string, buildConnector.connector>()
  const connectorBy = (proxy: ListedProxy, limit: number): buildConnector.connector => {
    const login = proxy ? `${proxy.name} ${limit}` : `${limit}`
    let connector = connectors.get(login)
    if (!connector) {
      connector = connectorOf({ proxy, connectLimit: limit, check, checkThrough })
      connectors.set(login, connector)
    }
    return connector
  }
  const connect = async (options: buildConnector.Options): Promise<Made> => {
    const listed = await findProxies(proxies, `${options.protocol}//${options.host}`, connectLimit)
    let last: Made | undefined
    for (const proxy of listed) {
      const connector = connectorBy(proxy, Math.ceil(connectLimit / listed.length))
      const made = await new Promise<Made>((resolve) =>
        connector(options, (...result) => resolve(result)),
      )
      if (!made[0] || !isUnusable(made[0], proxy)) return made
      if (proxy) proxies.setAside(proxy.name)
      last = made
    }
    return last ?? [new Error('the system named no proxy'), null]
  }
  return (options, callback) => {
    const origin = `${options.protocol}//${options.host}`
    connect(options).then(
      (made) => callback(...made),
      (error) => callback(upstreamFailure(error, origin), null),
    )
  }
}
