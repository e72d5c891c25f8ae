import { listedConnector } from '../proxy/listed-connector.ts'
import { readProxy } from '../proxy/read-proxy.ts'
import type { SystemProxies } from '../proxy/system-proxies.ts'
import type { CheckAddress } from './checked-lookup.ts'
import { type CheckThrough, connectorOf } from './connector.ts'
import type { buildConnector } from './undici-parts.ts'

/** A proxy's URL; or those that the system names, found for each connection; null = none. */
export type ProxyChoice = string | SystemProxies | null

export interface ConnectorChoice {
  proxy: ProxyChoice
  connectLimit: number
  check: CheckAddress | undefined
  checkThrough: CheckThrough | undefined
}

/** Makes connections in the way that is wished; throws `channel_misconfigured` for a proxy that cannot be read. */
export function chooseConnector({ proxy, ...way }: ConnectorChoice): buildConnector.connector {
  if (proxy !== null && typeof proxy === 'object') {
    return listedConnector({ proxies: proxy, ...way })
  }
  return connectorOf({ proxy: proxy ? readProxy(proxy) : null, ...way })
}
