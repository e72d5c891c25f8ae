import type { Sentence } from '../base/reason.ts'
import type { Json } from './tool.ts'

/** Tools take them in different orders; some ask the one for https whatever the address. */
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']

type Variables = Readonly<Record<string, Json | undefined>>

const textOf = (name: string, variables: Variables): string => {
  const value = variables[name] ?? variables[name.toLowerCase()]
  return typeof value === 'string' ? value : ''
}

/**
 * Does an entry of NO_PROXY mean the host in every tool? Several compare texts alone: a range such as
 * `127.0.0.0/8` doesn't keep their calls from the proxy.
 */
function isExcluded(host: string, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .map((entry) => entry.replace(/^\*?\./, '').replace(/:\d+$/, ''))
    .some((entry) => entry === '*' || entry === host || (entry && host.endsWith(`.${entry}`)))
}

/**
 * A tool sends calls to this machine through a proxy, too, unless NO_PROXY names it: they end there, and
 * nothing of them is seen here. The later variables win over the earlier.
 */
export function proxyWarning(address: string, ...settings: readonly Variables[]): Sentence[] {
  const variables: Variables = Object.assign({}, ...settings)
  const name = proxies.find((one) => textOf(one, variables) !== '')
  const host = new URL(address).hostname
  if (name === undefined || isExcluded(host, textOf('NO_PROXY', variables))) return []
  return [
    {
      message: `${name} is set, so its calls to ${host} may go to that proxy and never arrive here. Add ${host} to NO_PROXY where ${name} is set.`,
      reason: { code: 'connect_proxy', name, host },
    },
  ]
}
