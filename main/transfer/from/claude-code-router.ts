import type { RuleConditionsDraft, TargetDraft } from '../transfer.ts'
import { Carried, type ForeignKey } from './carried.ts'
import type { DatabaseImporter } from './database-importer.ts'
import type { Field } from './text/field.ts'
import { looksLike } from './text/looks-like.ts'
import { parseJson } from './text/parse-json.ts'
import { dollarKey, type ImporterWithVariables, noVariables, type Variables } from './variables.ts'
import { type Api, vendorAt } from './vendor/vendor-at.ts'

const KIND = 'claude-code-router-data-export'

/** Transformers that say which API a provider speaks; the others change single fields. */
const apis: Readonly<Record<string, Api>> = { anthropic: 'anthropic', gemini: 'gemini' }

/** Transformers that sign in with an account, or to a cloud that no channel type is for. */
const accounts = new Set(['gemini-cli', 'qwen-cli', 'rovo-cli', 'vertex-gemini', 'vertex-claude'])

/** `use: ["name", ["name", options]]` → names. */
const transformersOf = (provider: Field): string[] =>
  provider
    .at('transformer')
    .at('use')
    .items()
    .map((one) => (one.isList ? (one.items()[0]?.text() ?? '') : one.text()).toLowerCase())

const protocols: Readonly<Record<string, Api>> = {
  anthropic_messages: 'anthropic',
  gemini_generate_content: 'gemini',
  gemini_interactions: 'gemini',
}

function apiOf(provider: Field): Api {
  const protocol = provider.atOneOf('type', 'protocol').text()
  if (Object.hasOwn(protocols, protocol)) return protocols[protocol] as Api
  const name = transformersOf(provider).find((one) => Object.hasOwn(apis, one))
  return name === undefined ? 'openai' : (apis[name] as Api)
}

/** A key of a provider, with its place among the others. */
interface Credential {
  key: ForeignKey
  /** Higher first. */
  priority: number
  weight: number
  disabled: boolean
}

/** Version 3's list of keys wins over the single one. */
function credentialsOf(provider: Field, variables: Variables): Credential[] {
  const keyOf = (field: Field) =>
    dollarKey(field.atOneOf('api_key', 'apiKey', 'apikey').text(), variables)
  const disabled = !provider.at('enabled').flag(true)
  const list = provider.atOneOf('credentials', 'keys', 'apiKeys').items()
  if (list.length === 0) return [{ key: keyOf(provider), priority: 0, weight: 0, disabled }]
  return list.map((one) => {
    if (one.isText) {
      return { key: dollarKey(one.text(), variables), priority: 0, weight: 0, disabled }
    }
    const order = one.at('priority').integer(-1_000_000, 1_000_000) ?? 0
    return {
      key: keyOf(one),
      priority: order === 0 ? 0 : -order,
      weight: one.at('weight').integer(0, 1_000_000) ?? 0,
      disabled: disabled || !one.at('enabled').flag(true),
    }
  })
}

function readProvider(provider: Field, variables: Variables, carried: Carried): void {
  const name = provider.at('name').name()
  const plugin = transformersOf(provider).find((one) => accounts.has(one))
  if (plugin !== undefined) {
    carried.leave(name, ['transformer', { plugin }])
    return
  }
  const address = provider.atOneOf('api_base_url', 'baseUrl', 'baseurl')
  if (address.text() === '') {
    carried.leave(name, 'no_address')
    return
  }
  const vendor = vendorAt(address, apiOf(provider))
  const models = provider.at('models').texts()
  const credentials = credentialsOf(provider, variables)
  // Keys that differ in nothing else are keys of one channel.
  const groups = new Map<string, Credential[]>()
  for (const one of credentials) {
    const id = JSON.stringify([one.priority, one.weight, one.disabled])
    groups.set(id, [...(groups.get(id) ?? []), one])
  }
  for (const group of groups.values()) {
    const { priority = 0, weight = 0, disabled = false } = group[0] ?? {}
    const keys = group.map(({ key }) => key)
    carried.add({ name, vendor, keys, models, priority, weight, disabled })
  }
  if (provider.at('extraHeaders').isThere || provider.at('extraBody').isThere) {
    carried.leave(['extras', name], 'overrides')
  }
  const facts = provider.at('modelMetadata').entries()
  if (facts.some(([, model]) => model.at('pricing').isThere)) {
    carried.leave(['prices', name], 'enter_prices')
  }
}

/** Claude Code takes any name with `claude` in it. */
const ROUTE = 'claude-code-router'

/** Tokens of input from which on `longContext` is used, where the file says nothing else. */
const LONG_CONTEXT = 60_000

/** `provider,model`, or in version 3 `provider/model`. */
function targetOf(text: string, carried: Carried): TargetDraft | null {
  const part = text.includes(',') ? ',' : '/'
  const at = text.indexOf(part)
  if (at < 0) return carried.target(text.trim())
  return carried.target(text.slice(at + 1).trim(), text.slice(0, at).trim())
}

/** Its kinds of calls in the order in which it looks for them. */
const scenes: readonly [string, (router: Field) => RuleConditionsDraft][] = [
  ['image', () => ({ images: true })],
  [
    'longContext',
    (router) => ({
      min_input_tokens:
        (router.at('longContextThreshold').integer(1, 99_999_999) ?? LONG_CONTEXT) + 1,
    }),
  ],
  ['webSearch', () => ({ web_search: true })],
  ['think', () => ({ reasoning: true })],
]

/** The Router as one route: its kinds of calls are rules, and each list ends with its fallbacks. */
function readRouter(router: Field, carried: Carried): void {
  const fallback = router.at('fallback').at('models').texts()
  const fallbacks = fallback.flatMap((text) => targetOf(text, carried) ?? [])
  const named = (scene: string): TargetDraft | null => {
    const text = router.at(scene).text()
    const target = text === '' ? null : targetOf(text, carried)
    if (text !== '' && !target) carried.leave(`Router.${scene}`, 'no_target')
    return target
  }
  const rules = scenes.flatMap(([name, whenOf]) => {
    const target = named(name)
    return target ? [{ name, when: whenOf(router), targets: [target, ...fallbacks] }] : []
  })
  const own = named('default')
  if (own) carried.route(ROUTE, [own, ...fallbacks], rules)
  else {
    for (const { name } of rules) carried.leave(`Router.${name}`, 'no_default')
    if (fallback.length > 0) carried.leave('Router.fallback', 'no_default')
  }
  if (router.at('background').isThere) carried.leave('Router.background', 'small_model')
}

function leaveRest(config: Field, carried: Carried): void {
  const router = config.at('Router')
  readRouter(router, carried)
  for (const [index, rule] of router.at('rules').items().entries()) {
    const name = rule.at('name').text() || `Router.rules[${index}]`
    carried.leave(name, 'rules')
  }
  if (
    config.at('transformers').items().length > 0 ||
    config.at('CUSTOM_ROUTER_PATH').text() !== ''
  ) {
    carried.leave(['scripts'], 'no_scripts')
  }
  if (config.at('APIKEY').text() !== '' || config.at('APIKEYS').items().length > 0) {
    carried.leave(['client_keys'], 'create_tokens')
  }
  if (config.at('PROXY_URL').text() !== '') {
    carried.leave('PROXY_URL', 'enter_proxy')
  }
  if (config.at('providerPlugins').items().length > 0) {
    carried.leave(['plugins'], 'own_accounts')
  }
}

/** claude-code-router: `config.json` up to version 2 (JSON5, `$NAME` for variables), and version 3's data export. */
export const claudeCodeRouter: ImporterWithVariables = {
  id: 'claude-code-router',
  name: 'Claude Code Router',
  detect: (text) =>
    looksLike(text, (file) => file.at('kind').value === KIND || file.at('Providers').isList),
  read(text, variables = noVariables) {
    const file = parseJson(text)
    const isExport = file.at('kind').value === KIND
    const config = isExport ? file.at('config') : file
    const carried = new Carried()
    for (const provider of config.at('Providers').items()) {
      readProvider(provider, variables, carried)
    }
    leaveRest(config, carried)
    return carried.foreign()
  },
}

const CONFIG = 'app_config'

/** `config.sqlite` of version 3: one row with the configuration as JSON, in which `$NAME` is no variable. */
export const claudeCodeRouterDatabase: DatabaseImporter = {
  id: claudeCodeRouter.id,
  tables: [CONFIG],
  detect: (rows) => rows.has(CONFIG),
  read(rows) {
    const row = rows.get(CONFIG)?.find((one) => one.get('key') === 'default')
    return claudeCodeRouter.read(String(row?.get('value_json') ?? '{}'))
  },
}
