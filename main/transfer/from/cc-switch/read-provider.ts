import type { Account, Carried } from '../carried.ts'
import type { Field } from '../text/field.ts'
import { parseToml } from '../text/parse-toml.ts'
import { type Api, vendorAt } from '../vendor/vendor-at.ts'
import { type Vendor, vendorNamed } from '../vendor/vendors.ts'

/** A provider of one of the tools that cc-switch serves. */
export interface Provider {
  /** `claude`, `codex`, … */
  app: string
  name: string
  /** Its shape depends on the tool. */
  config: Field
  meta: Field
  priority: number
}

/** A provider's parts, wherever its tool keeps them. */
interface Parts {
  api: Api
  key: string
  address: Field
  models: string[]
}

/** Claude Code writes the wish for a long context behind the model's name. */
const plain = (model: string): string => model.replace(/\[\d+m\]$/i, '')

const claudeModels = [
  'ANTHROPIC_MODEL',
  'ANTHROPIC_DEFAULT_OPUS_MODEL',
  'ANTHROPIC_DEFAULT_SONNET_MODEL',
  'ANTHROPIC_DEFAULT_HAIKU_MODEL',
  'ANTHROPIC_DEFAULT_FABLE_MODEL',
  'ANTHROPIC_REASONING_MODEL',
  'ANTHROPIC_SMALL_FAST_MODEL',
]

function claude({ config, meta }: Provider): Parts {
  const env = config.at('env')
  const format = meta.at('apiFormat').text()
  return {
    api: format.startsWith('openai') ? 'openai' : 'anthropic',
    key: env.at('ANTHROPIC_AUTH_TOKEN').text() || env.at('ANTHROPIC_API_KEY').text(),
    address: env.at('ANTHROPIC_BASE_URL'),
    models: claudeModels.map((name) => plain(env.at(name).text())),
  }
}

function codex({ config }: Provider): Parts {
  const text = config.at('config')
  const toml = parseToml(text.text(), text.path)
  const active = toml.at('model_providers').at(toml.at('model_provider').text() || 'openai')
  const own = active.at('base_url')
  return {
    api: 'openai',
    key:
      config.at('auth').at('OPENAI_API_KEY').text() ||
      active.at('experimental_bearer_token').text(),
    address: own.isThere ? own : toml.at('base_url'),
    models: [toml.at('model').text()],
  }
}

function gemini({ config }: Provider): Parts {
  // A link's configuration has the variables without `env` around them.
  const env = config.at('env').isThere ? config.at('env') : config
  return {
    api: 'gemini',
    key: env.at('GEMINI_API_KEY').text(),
    address: env.atOneOf('GOOGLE_GEMINI_BASE_URL', 'GEMINI_BASE_URL'),
    models: [env.at('GEMINI_MODEL').text()],
  }
}

function grokBuild({ config }: Provider): Parts {
  const text = config.at('config')
  const toml = parseToml(text.text(), text.path)
  const models = toml.at('model').entries()
  const [, first] = models[0] ?? ['', toml.at('model')]
  return {
    api: 'openai',
    key: first.at('api_key').text(),
    address: first.at('base_url'),
    models: models.map(([name, model]) => model.at('model').text() || name),
  }
}

function openCode({ config }: Provider): Parts {
  const options = config.at('options')
  const sdk = config.at('npm').text()
  const isGoogle = sdk.endsWith('/google')
  return {
    api: sdk.endsWith('/anthropic') ? 'anthropic' : isGoogle ? 'gemini' : 'openai',
    key: options.at('apiKey').text(),
    address: options.at('baseURL'),
    models: config
      .at('models')
      .entries()
      .map(([model]) => model),
  }
}

const apiOf = (mode: string): Api => {
  if (mode.includes('anthropic')) return 'anthropic'
  return mode.includes('google') || mode.includes('gemini') ? 'gemini' : 'openai'
}

const listed =
  (key: string, address: string, api: string) =>
  ({ config }: Provider): Parts => ({
    api: apiOf(config.at(api).text()),
    key: config.at(key).text(),
    address: config.at(address),
    models: config
      .at('models')
      .items()
      .map((model) => model.at('id').text()),
  })

const readers: Readonly<Record<string, (provider: Provider) => Parts>> = {
  claude,
  'claude-desktop': claude,
  codex,
  gemini,
  grokbuild: grokBuild,
  opencode: openCode,
  openclaw: listed('apiKey', 'baseUrl', 'api'),
  hermes: listed('api_key', 'base_url', 'api_mode'),
}

const vendorsOwn: Readonly<Record<Api, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
}

/** Adds a provider's account, or says why there is none. */
export function readProvider(provider: Provider, carried: Carried): void {
  const { app, name, meta, priority } = provider
  const read = Object.hasOwn(readers, app) ? readers[app] : undefined
  if (!read) {
    carried.leave(name, ['unreadable_app', { app: app.slice(0, 40) }])
    return
  }
  if (meta.at('providerType').text() === 'github_copilot' || meta.at('authBinding').isThere) {
    carried.leave(name, 'own_account')
    return
  }
  const { api, key, address, models } = read(provider)
  if (key === '' && address.text() === '') {
    carried.leave(name, ['app_account', { app }])
    return
  }
  const vendor: Vendor | undefined =
    address.text() === '' ? vendorNamed(vendorsOwn[api]) : vendorAt(address, api)
  if (!vendor) {
    carried.leave(name, 'no_address')
    return
  }
  const account: Account = { name, vendor, keys: [{ key }], models, priority }
  carried.add(account)
  if (meta.at('usage_script').isThere) {
    carried.leave(['usage_script', name], 'no_scripts')
  }
}
