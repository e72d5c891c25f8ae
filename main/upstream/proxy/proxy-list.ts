import { readProxy, type UpstreamProxy } from './read-proxy.ts'

/** Null = straight to the upstream. */
export type ListedProxy = UpstreamProxy | null

const schemes: Readonly<Record<string, string>> = {
  proxy: 'http',
  http: 'http',
  https: 'https',
  socks5: 'socks5',
}

/** One entry, `PROXY host:port`; undefined where it is of a kind that is not spoken here, or no entry at all. */
function readEntry(entry: string): ListedProxy | undefined {
  const [, kind = '', place = ''] = /^(\S+)(?:\s+(\S+))?$/.exec(entry) ?? []
  const word = kind.toLowerCase()
  if (word === 'direct' && place === '') return null
  const scheme = Object.hasOwn(schemes, word) ? schemes[word] : undefined
  // The list names host and port alone; a login in it would be somebody else's.
  if (!scheme || !/^(?:\[[\da-f:.]+\]|[^\s@/?#:]+)(?::\d{1,5})?$/i.test(place)) return undefined
  try {
    return readProxy(`${scheme}://${place}`)
  } catch {
    return undefined
  }
}

/**
 * The proxies of a list as proxy auto-config writes it (`PROXY a:8080; SOCKS5 b:1080; DIRECT`), in its order. Entries
 * of other kinds, such as SOCKS (version 4) and QUIC, are left out.
 *
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/Proxy_servers_and_tunneling/Proxy_Auto-Configuration_PAC_file
 */
export const readProxyList = (list: string): ListedProxy[] =>
  list.split(';').flatMap((entry) => {
    const proxy = readEntry(entry.trim())
    return proxy === undefined ? [] : [proxy]
  })
