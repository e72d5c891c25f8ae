import type { ProxyConfig } from 'electron'

/** The words of a proxy list, such as `PROXY`, by the scheme of a rule. */
const kinds: Readonly<Record<string, string>> = {
  http: 'PROXY',
  https: 'HTTPS',
  socks4: 'SOCKS',
  socks5: 'SOCKS5',
}

function entryOf(rule: string): string {
  if (rule === 'direct://') return 'DIRECT'
  const [, scheme = '', place = ''] = /^(\w+):\/\/([^/,;\s]+:\d+)$/.exec(rule) ?? []
  const kind = kinds[scheme]
  if (!kind) throw new Error(`The stand-in knows no proxy rule '${rule}'`)
  return `${kind} ${place}`
}

let list = 'DIRECT'

/** `ses.setProxy`, as far as one list for all URLs goes: `http://a:1,socks5://b:2,direct://`. */
export async function setProxy({ mode, proxyRules }: ProxyConfig): Promise<void> {
  if (mode === 'direct') list = 'DIRECT'
  else if (mode === 'fixed_servers' && proxyRules)
    list = proxyRules.split(',').map(entryOf).join(';')
  else throw new Error(`The stand-in knows no proxy mode '${mode}' without rules`)
}

/** Chromium goes straight to this machine, whatever the rules say. */
const isImplicitlyDirect = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || /^(127\.|\[::1\]|169\.254\.)/.test(host)

/** `ses.resolveProxy`: a list as Chromium's `ToPacString` writes it. */
export async function resolveProxy(url: string): Promise<string> {
  if (typeof url !== 'string') {
    throw new TypeError('Error processing argument at index 0, conversion failure from object')
  }
  // For an invalid URL Chromium answers with an empty text.
  if (!URL.canParse(url)) return ''
  return isImplicitlyDirect(new URL(url).hostname) ? 'DIRECT' : list
}
