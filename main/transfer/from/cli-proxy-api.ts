import type { Importer } from '../transfer.ts'
import { Carried } from './carried.ts'
import type { Field } from './text/field.ts'
import { parseYaml } from './text/parse-yaml.ts'
import { type Api, vendorAt } from './vendor/vendor-at.ts'
import { type Vendor, vendorNamed } from './vendor/vendors.ts'

/** Lists with one key an entry. */
const lists: readonly { list: string; api: Api; vendor: string }[] = [
  { list: 'gemini-api-key', api: 'gemini', vendor: 'gemini' },
  { list: 'interactions-api-key', api: 'gemini', vendor: 'gemini' },
  { list: 'claude-api-key', api: 'anthropic', vendor: 'anthropic' },
  { list: 'codex-api-key', api: 'openai', vendor: 'openai' },
  { list: 'xai-api-key', api: 'openai', vendor: 'xai' },
]

/** Public name → upstream's, by an entry's models; callers may put the prefix before a name. */
function mappingOf(entry: Field): { models: string[]; mapping: Record<string, string> }[] {
  const prefix = entry.at('prefix').text()
  const channels = [{ models: [] as string[], mapping: {} as Record<string, string> }]
  for (const model of entry.at('models').items()) {
    const upstream = model.at('name').name()
    const alias = model.at('alias').text() || upstream
    const asked = prefix === '' ? alias : `${prefix}/${alias}`
    // An alias of several models is a pool: a channel can map a name to one model only.
    let channel = channels.find((one) => !one.models.includes(asked))
    if (!channel) {
      channel = { models: [], mapping: {} }
      channels.push(channel)
    }
    channel.models.push(asked)
    if (asked !== upstream) channel.mapping[asked] = upstream
  }
  return channels
}

const order = (entry: Field): number => entry.at('priority').integer(-1_000_000, 1_000_000) ?? 0

/** Zero where none is given; below it for a key that is taken out of the rotation. */
function weightOf(entry: Field): number {
  const weight = entry.at('weight').integer(-1_000_000, 1_000_000)
  if (weight === null) return 0
  return weight <= 0 ? -1 : weight
}

const hasProxy = (entry: Field): boolean =>
  !['', 'direct', 'none'].includes(entry.at('proxy-url').text())

function leaveBehaviour(entry: Field, name: string, carried: Carried): void {
  if (entry.at('headers').isThere) {
    carried.leave(['headers', name], 'header_override')
  }
  if (entry.at('excluded-models').items().length > 0) {
    carried.leave(['excluded', name], 'lists_models')
  }
  if ([entry, ...entry.at('api-key-entries').items()].some(hasProxy)) {
    carried.leave(['proxy', name], 'enter_it')
  }
  if (entry.at('prefix').text() !== '' && entry.at('models').items().length === 0) {
    carried.leave(['prefix', name], 'no_prefix')
  }
}

interface Credential {
  key: string
  weight: number
}

function add(
  entry: Field,
  { name, vendor, keys }: { name: string; vendor: Vendor; keys: readonly Credential[] },
  carried: Carried,
): void {
  const weights = new Map<number, string[]>()
  for (const { key, weight } of keys) weights.set(weight, [...(weights.get(weight) ?? []), key])
  if (weights.size === 0) weights.set(0, [])
  for (const { models, mapping } of mappingOf(entry)) {
    for (const [weight, group] of weights) {
      carried.add({
        name,
        vendor,
        keys: group.map((key) => ({ key })),
        models,
        mapping,
        priority: order(entry),
        weight: Math.max(weight, 0),
        disabled: entry.at('disabled').flag(false) || weight < 0,
      })
    }
  }
  leaveBehaviour(entry, name, carried)
}

function readProvider(entry: Field, carried: Carried): void {
  const address = entry.at('base-url')
  const name = entry.at('name').text() || address.text() || entry.path
  if (address.text() === '') {
    carried.leave(name, 'no_address')
    return
  }
  const keys = entry
    .at('api-key-entries')
    .items()
    .map((one) => ({ key: one.at('api-key').text(), weight: weightOf(one) }))
  // Before version 6 the keys were a plain list.
  const old = entry
    .at('api-keys')
    .texts()
    .map((key) => ({ key, weight: 0 }))
  add(entry, { name, vendor: vendorAt(address, 'openai'), keys: [...keys, ...old] }, carried)
}

const NAMES =
  /^(?:openai-compatibility|gemini-api-key|generative-language-api-key|claude-api-key|codex-api-key|xai-api-key|vertex-api-key|auth-dir)\s*:/m

/** CLIProxyAPI's `config.yaml`. */
export const cliProxyApi: Importer = {
  id: 'cli-proxy-api',
  name: 'CLIProxyAPI',
  detect: (text) => NAMES.test(text),
  read(text) {
    const file = parseYaml(text)
    const carried = new Carried()
    for (const { list, api, vendor: named } of lists) {
      for (const entry of file.at(list).items()) {
        const address = entry.at('base-url')
        const vendor = address.text() === '' ? vendorNamed(named) : vendorAt(address, api)
        if (!vendor) continue
        const keys = [{ key: entry.at('api-key').text(), weight: weightOf(entry) }]
        add(entry, { name: vendor.name, vendor, keys }, carried)
      }
    }
    const gemini = vendorNamed('gemini')
    for (const key of file.at('generative-language-api-key').texts()) {
      if (gemini) carried.add({ name: gemini.name, vendor: gemini, keys: [{ key }] })
    }
    for (const entry of file.at('openai-compatibility').items()) readProvider(entry, carried)
    if (file.at('vertex-api-key').items().length > 0) {
      carried.leave('vertex-api-key', ['no_type', { vendor: 'Vertex AI' }])
    }
    if (hasProxy(file)) carried.leave('proxy-url', 'enter_proxy')
    if (file.at('auth-dir').isThere) {
      carried.leave(['logins'], 'shared_sessions')
    }
    if (file.at('api-keys').items().length > 0) {
      carried.leave('api-keys', 'create_tokens')
    }
    if (file.at('oauth-model-alias').isThere || file.at('payload').isThere) {
      carried.leave('oauth-model-alias and payload', 'no_counterpart')
    }
    return carried.foreign()
  },
}
