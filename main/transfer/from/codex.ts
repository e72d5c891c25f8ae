import { Carried, type ForeignKey } from './carried.ts'
import type { Field } from './text/field.ts'
import { looksLike } from './text/looks-like.ts'
import { parseJson } from './text/parse-json.ts'
import { parseToml } from './text/parse-toml.ts'
import { type ImporterWithVariables, keyIn, noVariables, type Variables } from './variables.ts'
import { vendorAt } from './vendor/vendor-at.ts'
import { vendorNamed } from './vendor/vendors.ts'

/** `auth.json`: a key, or the sessions of an account. */
function readLogin(file: Field, carried: Carried): void {
  const key = file.at('OPENAI_API_KEY').text()
  const vendor = vendorNamed('openai')
  if (key !== '' && vendor) carried.add({ name: vendor.name, vendor, keys: [{ key }] })
  if (file.at('tokens').isThere || file.at('personal_access_token').isThere) {
    carried.leave(['chatgpt_login'], 'no_sessions')
  }
}

function keyOf(provider: Field, variables: Variables): ForeignKey {
  const key = provider.at('experimental_bearer_token').text()
  if (key !== '') return { key }
  const variable = provider.at('env_key').text()
  if (variable !== '') return keyIn(variable, variables)
  const isLogin = provider.at('requires_openai_auth').flag(false)
  return isLogin ? keyIn('OPENAI_API_KEY', variables) : { key: '' }
}

function readConfig(file: Field, variables: Variables, carried: Carried): void {
  const active = file.at('model_provider').text()
  const model = file.at('model').text()
  for (const [id, provider] of file.at('model_providers').entries()) {
    const name = provider.at('name').text() || id
    const address = provider.at('base_url')
    if (provider.at('aws').isThere) {
      carried.leave(name, ['no_type', { vendor: 'Amazon Bedrock' }])
      continue
    }
    if (provider.at('auth').isThere) {
      carried.leave(name, 'command')
      continue
    }
    const vendor = address.text() === '' ? vendorNamed('openai') : vendorAt(address, 'openai')
    if (!vendor) continue
    // The file has one model, which is the chosen provider's.
    const models = id === active && model !== '' ? [model] : []
    carried.add({ name, vendor, keys: [keyOf(provider, variables)], models })
    if (provider.at('http_headers').isThere || provider.at('env_http_headers').isThere) {
      carried.leave(['headers', name], 'header_override')
    }
    if (provider.at('query_params').isThere) {
      carried.leave(['query', name], 'azure_version')
    }
  }
  if (file.at('profiles').isThere) {
    carried.leave('profiles', 'codex_profiles')
  }
}

const TOML = /^[^\S\n]*(?:\[\s*model_providers\b|model_providers\s*[.=]|model_provider\s*=)/m

/** Codex: `config.toml` with its `model_providers`, and the key in `auth.json`. */
export const codex: ImporterWithVariables = {
  id: 'codex',
  name: 'Codex',
  detect: (text) =>
    looksLike(
      text,
      (file) =>
        file.isObject &&
        (file.at('OPENAI_API_KEY').isText || file.at('tokens').at('access_token').isText),
    ) ||
    (!/^\s*\{/.test(text) && TOML.test(text)),
  read(text, variables = noVariables) {
    const carried = new Carried()
    if (/^\uFEFF?\s*\{/.test(text)) readLogin(parseJson(text), carried)
    else readConfig(parseToml(text), variables, carried)
    return carried.foreign()
  },
}
