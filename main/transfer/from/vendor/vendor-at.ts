import { presets } from '../../../adaptor/presets.ts'
import { parseBaseUrl } from '../../../adaptor/url/join-url.ts'
import { GatewayError } from '../../../base/errors.ts'
import type { Field } from '../text/field.ts'
import { wrongText } from '../text/wrong-text.ts'
import type { Vendor } from './vendors.ts'

/** The API that a tool speaks with an address. */
export type Api = 'openai' | 'anthropic' | 'gemini'

const ENDPOINT = /\/(?:chat\/completions|completions|responses|messages|embeddings)\/?$/i
const MODELS = /(\/v\d[^/]*)\/models\/?$/i
const VERSIONED = /\/v\d[^/]*(?:\/openai)?$/i

const isLocal = ({ hostname }: URL): boolean => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)

/** Vendors that speak OpenAI's format, by their addresses; a port of this machine proves nothing. */
const known = presets.flatMap(({ name, type, base_url }) => {
  if (base_url === '' || type === 14 || type === 24) return []
  const url = new URL(base_url)
  return isLocal(url) ? [] : [{ name, type, base_url, url }]
})

const isAzure = (url: URL): boolean =>
  /\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/i.test(url.hostname)

function urlOf(address: string, path: string): URL {
  try {
    return parseBaseUrl(address)
  } catch (error) {
    const reason = error instanceof GatewayError ? error.message : 'It can’t be read.'
    throw wrongText(`“${path}” is no address of a vendor. ${reason}`, {
      code: 'part_no_address',
      part: path,
      why: error instanceof GatewayError ? (error.reason ?? error.message) : '',
    })
  }
}

/**
 * The vendor at an address that a tool speaks `api` with, a pasted endpoint's path cut off. Throws
 * `invalid_params` with the field's path for what is no address.
 */
export function vendorAt(field: Field, api: Api): Vendor {
  const url = urlOf(field.text(), field.path)
  const path = url.pathname.replace(/\/+/g, '/').replace(/\/$/, '')
  const cut = path.replace(ENDPOINT, '').replace(MODELS, '$1')
  const needsKey = !isLocal(url)
  const base = (path: string) => url.origin + path
  if (api === 'anthropic') {
    const root = cut.replace(/\/v1$/, '')
    const isOwn = url.hostname === 'api.anthropic.com'
    const name = isOwn ? 'Anthropic' : url.host
    return { name, type: 14, base_url: base(root), needsKey }
  }
  if (api === 'gemini' && !/\/openai$/.test(cut)) {
    const isOwn = url.hostname === 'generativelanguage.googleapis.com'
    const root = cut.replace(/\/v1(?:beta)?$/, '')
    return { name: isOwn ? 'Google Gemini' : url.host, type: 24, base_url: base(root), needsKey }
  }
  if (isAzure(url)) return { name: 'Azure OpenAI', type: 3, base_url: url.origin, needsKey }
  const vendor = known
    .filter((one) => one.url.origin === url.origin)
    .sort((one, other) => match(other.url, cut) - match(one.url, cut))[0]
  if (vendor) {
    // Where the path is the vendor's or none, the preset's is right; another one was chosen on purpose.
    const isUsual = cut === '' || vendor.url.pathname.startsWith(cut)
    const { name, type } = vendor
    return { name, type, base_url: isUsual ? vendor.base_url : base(cut), needsKey }
  }
  if (isLocal(url) && url.port === '11434') {
    return { name: 'Ollama', type: 4, base_url: base(cut), needsKey }
  }
  // Without a version the path is where calls go as it stands: one that is cut would get a /v1.
  return { name: url.host, type: 1, base_url: base(VERSIONED.test(cut) ? cut : path), needsKey }
}

/** Characters of the path that both have from the beginning on. */
function match({ pathname }: URL, path: string): number {
  let at = 0
  while (at < path.length && pathname[at] === path[at]) at++
  return at
}
