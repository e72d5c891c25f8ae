import type { Importer } from '../transfer.ts'
import { type Account, Carried } from './carried.ts'
import { Field } from './text/field.ts'
import { wrongText } from './text/wrong-text.ts'
import { type Api, vendorAt } from './vendor/vendor-at.ts'
import { type Vendor, vendorNamed } from './vendor/vendors.ts'

const LINK = /^\uFEFF?\s*switchyard:/i
const MOST_LINKS = 200

/** Characters: a key, an address and a hundred models take a quarter of it. */
export const LONGEST_LINK = 8192

/** Characters that turn the direction of the text around them, or aren't seen: a name of a stranger's link hides behind them. */
const UNSEEN = /[\p{Cc}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu

const known = new Set(['name', 'vendor', 'base_url', 'api', 'key', 'models'])
const apis: readonly string[] = ['openai', 'anthropic', 'gemini'] satisfies Api[]

function vendorOf(link: URLSearchParams): Vendor {
  const address = link.get('base_url')?.trim() ?? ''
  const named = link.get('vendor') ?? ''
  const api = link.get('api') ?? 'openai'
  if (!apis.includes(api))
    throw wrongText(`The link’s “api” must be one of ${apis.join(', ')}.`, {
      code: 'link_api',
      values: apis.join(', '),
    })
  if (address !== '') return vendorAt(new Field(address, 'base_url'), api as Api)
  if (named === '')
    throw wrongText('The link names neither a vendor nor a base_url.', {
      code: 'link_without_vendor',
    })
  const vendor = vendorNamed(named)
  if (vendor) return vendor
  throw wrongText(
    `The link names the vendor “${named.slice(0, 40)}”, which Switchyard doesn’t know.`,
    { code: 'link_vendor_unknown', vendor: named.slice(0, 40) },
  )
}

export function readSwitchyardLink(text: string, carried: Carried): void {
  if (text.length > LONGEST_LINK) {
    throw wrongText(`The link is longer than ${LONGEST_LINK} characters.`, {
      code: 'link_long',
      most: LONGEST_LINK,
    })
  }
  const url = URL.canParse(text) ? new URL(text) : null
  const isImport = url?.protocol === 'switchyard:' && url.host.toLowerCase() === 'import'
  if (!url || !isImport || !/^\/?$/.test(url.pathname)) {
    throw wrongText('The link isn’t of the form switchyard://import?base_url=…&key=…&models=…', {
      code: 'link_form',
      link: text.slice(0, 40),
      form: 'switchyard://import?base_url=…&key=…&models=…',
    })
  }
  const link = url.searchParams
  const vendor = vendorOf(link)
  const account: Account = {
    name: (link.get('name') ?? '').replace(UNSEEN, '').trim().slice(0, 100) || vendor.name,
    vendor,
    keys: [{ key: link.get('key')?.trim() ?? '' }],
    models: (link.get('models') ?? '').split(','),
  }
  carried.add(account)
  for (const name of new Set(link.keys())) {
    if (!known.has(name)) {
      carried.leave(name.slice(0, 40), 'unknown_parameter')
    }
  }
}

/** Our own links, one a line: `switchyard://import?base_url=…&key=…&models=…&name=…`. */
export const switchyardLink: Importer = {
  id: 'switchyard-link',
  name: 'switchyard://',
  // Those of both kinds together are read as cc-switch’s.
  detect: (text) => LINK.test(text) && !/\sccswitch:\/\//i.test(text),
  read(text) {
    const links = text
      .replace(/^\uFEFF/, '')
      .split(/\s+/)
      .filter((line) => line !== '')
    if (links.length > MOST_LINKS)
      throw wrongText(`The text has more than ${MOST_LINKS} links.`, {
        code: 'many_links',
        most: MOST_LINKS,
      })
    const carried = new Carried()
    for (const link of links) readSwitchyardLink(link, carried)
    return carried.foreign()
  },
}
