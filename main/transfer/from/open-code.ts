import { Carried, type ForeignKey } from './carried.ts'
import type { Field } from './text/field.ts'
import { looksLike } from './text/looks-like.ts'
import { parseJson } from './text/parse-json.ts'
import { type ImporterWithVariables, keyIn, noVariables, type Variables } from './variables.ts'
import { type Api, vendorAt } from './vendor/vendor-at.ts'
import { type Vendor, vendorNamed } from './vendor/vendors.ts'

/** Providers that sign in to a cloud, or with an account. */
const withoutType: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'Amazon Bedrock',
  'google-vertex': 'Vertex AI',
  'google-vertex-anthropic': 'Vertex AI',
  'github-copilot': 'GitHub Copilot, which signs in with an account',
}

/** A provider in either version's words. */
interface Provider {
  id: string
  name: string
  /** The npm package or OpenCode's own name of an SDK. */
  sdk: string
  address: Field
  key: Field
  models: { asked: string; upstream: string }[]
  hasHeaders: boolean
  isOff: boolean
}

const apiOf = ({ id, sdk }: Provider): Api => {
  const name = sdk || id
  if (/anthropic/.test(name)) return 'anthropic'
  return /google/.test(name) ? 'gemini' : 'openai'
}

const modelsOf = (field: Field, upstream: string) =>
  field.entries().flatMap(([asked, model]) => {
    if (model.at('disabled').flag(false)) return []
    return [{ asked, upstream: model.at(upstream).text() || asked }]
  })

const first = (id: string, field: Field, isOff: boolean): Provider => ({
  id,
  isOff,
  name: field.at('name').text() || id,
  sdk: field.at('npm').text(),
  address: field.at('options').at('baseURL').isThere
    ? field.at('options').at('baseURL')
    : field.at('api'),
  key: field.at('options').at('apiKey'),
  models: modelsOf(field.at('models'), 'id'),
  hasHeaders: field.at('options').at('headers').isThere,
})

const second = (id: string, field: Field, isOff: boolean): Provider => ({
  id,
  isOff,
  name: field.at('name').text() || id,
  sdk: field.at('package').text(),
  address: field.at('settings').at('baseURL'),
  key: field.at('settings').at('apiKey'),
  models: modelsOf(field.at('models'), 'modelID'),
  hasHeaders: field.at('headers').isThere,
})

/** `{env:NAME}`, `{file:PATH}` or the key itself. Files are never read. */
function keyOf(field: Field, variables: Variables): ForeignKey {
  const text = field.text()
  const variable = /^\{env:([^{}]+)\}$/.exec(text)
  if (variable) return keyIn(variable[1] ?? '', variables)
  return text.startsWith('{file:') ? { key: '', variable: text.slice(0, 100) } : { key: text }
}

function vendorOf(provider: Provider): Vendor | null {
  const { id, address, sdk } = provider
  if (address.text() !== '' && !address.text().includes('{')) {
    return vendorAt(address, apiOf(provider))
  }
  const bySdk = /@ai-sdk\/([a-z]+)$/.exec(sdk)?.[1] ?? ''
  const vendor = vendorNamed(id) ?? vendorNamed(bySdk)
  // Azure's address is made of a resource's name, which a channel writes out.
  return vendor && (vendor.base_url !== null || vendor.type === 1) ? vendor : null
}

function readProvider(provider: Provider, variables: Variables, carried: Carried): void {
  const { id, name, models } = provider
  if (Object.hasOwn(withoutType, id)) {
    carried.leave(name, ['no_type', { vendor: withoutType[id] ?? id }])
    return
  }
  const vendor = vendorOf(provider)
  if (!vendor) {
    carried.leave(name, 'unknown_vendor')
    return
  }
  const mapped = models.filter(({ asked, upstream }) => asked !== upstream)
  carried.add({
    name,
    vendor,
    keys: [keyOf(provider.key, variables)],
    models: models.map(({ asked }) => asked),
    disabled: provider.isOff,
    mapping: Object.fromEntries(mapped.map(({ asked, upstream }) => [asked, upstream])),
  })
  if (provider.hasHeaders) {
    carried.leave(['headers', name], 'header_override')
  }
}

/** A provider of both versions in one file is the second's. */
function readConfig(file: Field, variables: Variables, carried: Carried): void {
  const native = file.at('providers').entries()
  const own = new Set(native.map(([id]) => id))
  const disabled = new Set(file.at('disabled_providers').texts())
  const enabled = file.at('enabled_providers')
  const isOff = (id: string) =>
    disabled.has(id) || (enabled.isThere && !enabled.texts().includes(id))
  for (const [id, field] of file.at('provider').entries()) {
    if (!own.has(id)) readProvider(first(id, field, isOff(id)), variables, carried)
  }
  for (const [id, field] of native) readProvider(second(id, field, isOff(id)), variables, carried)
  for (const name of ['model', 'small_model']) {
    const model = file.at(name)
    if (model.isThere) carried.leave(name, 'choose_or_connect')
  }
  for (const name of ['agent', 'mcp', 'permission']) {
    if (file.at(name).isThere) carried.leave(name, 'open_code_setting')
  }
}

function readLogins(file: Field, carried: Carried): void {
  for (const [id, login] of file.entries()) {
    const type = login.at('type').text()
    if (type !== 'api') {
      carried.leave(id, 'signs_in')
      continue
    }
    const vendor = vendorNamed(id)
    if (!vendor || (vendor.base_url === null && vendor.type !== 1)) {
      carried.leave(id, 'no_vendor_file_address')
      continue
    }
    carried.add({ name: vendor.name, vendor, keys: [{ key: login.at('key').text() }] })
  }
}

const isLogins = (file: Field): boolean => {
  const entries = file.entries()
  const types = ['api', 'oauth', 'wellknown']
  return (
    entries.length > 0 &&
    entries.every(([, one]) => one.isObject && types.includes(String(one.at('type').value)))
  )
}

const isConfig = (file: Field): boolean =>
  /opencode\.ai/.test(String(file.at('$schema').value)) ||
  isProviders(file.at('providers'), 'settings', 'package') ||
  isProviders(file.at('provider'), 'options', 'npm', 'models')

const isProviders = (field: Field, ...names: string[]): boolean =>
  field.isObject &&
  field.entries().some(([, one]) => one.isObject && names.some((name) => one.at(name).isThere))

/** OpenCode: `opencode.json` and `.jsonc` of both versions, and version 1's `auth.json`. */
export const openCode: ImporterWithVariables = {
  id: 'opencode',
  name: 'OpenCode',
  detect: (text) => looksLike(text, (file) => isConfig(file) || isLogins(file)),
  read(text, variables = noVariables) {
    const file = parseJson(text)
    const carried = new Carried()
    if (isLogins(file)) readLogins(file, carried)
    else readConfig(file, variables, carried)
    return carried.foreign()
  },
}
