import { Carried, type ForeignKey } from '../from/carried.ts'
import type { Field } from '../from/text/field.ts'
import { parseJson } from '../from/text/parse-json.ts'
import { parseYaml } from '../from/text/parse-yaml.ts'
import { dollarKey, keyIn, type Variables } from '../from/variables.ts'
import { readVariables } from '../from/vendor/read-variables.ts'
import { type Api, vendorAt } from '../from/vendor/vendor-at.ts'
import { vendorNamed } from '../from/vendor/vendors.ts'
import type { Foreign } from '../transfer.ts'

interface Entry {
  name: string
  /** A vendor as the tool names it. */
  vendor: string
  address: Field
  key: ForeignKey
  models: readonly string[]
}

const apiOf = (vendor: string): Api => {
  if (vendor.includes('anthropic')) return 'anthropic'
  return /gemini|google/.test(vendor) ? 'gemini' : 'openai'
}

function add({ name, vendor: named, address, key, models }: Entry, carried: Carried): void {
  const isWritten = address.text() !== '' && !address.text().includes('$')
  const vendor = isWritten ? vendorAt(address, apiOf(named)) : vendorNamed(named)
  if (vendor) carried.add({ name: name || vendor.name, vendor, keys: [key], models })
}

const texts = (entries: readonly [string, Field][]): Map<string, string> =>
  new Map(entries.filter(([, one]) => one.isText).map(([name, one]) => [name, one.text()]))

/** Claude Code's settings set variables under `env`. */
export function readEnvBlock(text: string): Foreign {
  const carried = new Carried()
  readVariables(texts(parseJson(text).at('env').entries()), carried)
  return carried.foreign()
}

/**
 * Qwen Code's `settings.json`: variables under `env`, which it uses where the environment has none; providers that
 * name theirs; a key of its own.
 */
export function readQwenCode(text: string, variables: Variables): Foreign {
  const carried = new Carried()
  const file = parseJson(text)
  const own = texts(file.at('env').entries())
  readVariables(own, carried)
  for (const [vendor, list] of file.at('modelProviders').entries()) {
    for (const model of list.items()) {
      const variable = model.at('envKey').text()
      const key = keyIn(variable, (name) => variables(name) || own.get(name))
      const models = [model.at('id').text()]
      add({ name: '', vendor, address: model.at('baseUrl'), key, models }, carried)
    }
  }
  const auth = file.at('security').at('auth')
  const key = { key: auth.at('apiKey').text() }
  if (key.key !== '') {
    const models = [file.at('model').at('name').text()]
    add({ name: '', vendor: 'openai', address: auth.at('baseUrl'), key, models }, carried)
  }
  return carried.foreign()
}

/** Crush's `crush.json`, the configuration and what the program writes itself. */
export function readCrush(text: string, variables: Variables): Foreign {
  const carried = new Carried()
  for (const [id, provider] of parseJson(text).at('providers').entries()) {
    const type = provider.at('type').text()
    const isOwn = vendorNamed(id) !== undefined && !provider.at('base_url').isThere
    add(
      {
        name: provider.at('name').text() || id,
        vendor: isOwn ? id : type || id,
        address: provider.at('base_url'),
        key: dollarKey(provider.at('api_key').text(), variables),
        models: provider
          .at('models')
          .items()
          .map((model) => model.at('id').text()),
      },
      carried,
    )
  }
  return carried.foreign()
}

/** Goose's `secrets.yaml`, which it keeps where there is no keyring: variables. */
export function readGoose(text: string): Foreign {
  const carried = new Carried()
  readVariables(texts(parseYaml(text).entries()), carried)
  return carried.foreign()
}

/** Continue's `config.yaml`; `${{ secrets.NAME }}` are of its `.env`. */
export function readContinue(text: string, variables: Variables): Foreign {
  const carried = new Carried()
  for (const model of parseYaml(text).at('models').items()) {
    const given = model.at('apiKey').text()
    const secret = /^\$\{\{\s*(?:secrets|inputs)\.([\w-]+)\s*\}\}$/.exec(given)
    add(
      {
        name: '',
        vendor: model.at('provider').text(),
        address: model.at('apiBase'),
        key: secret ? keyIn(secret[1] ?? '', variables) : { key: given },
        models: [model.at('model').text()],
      },
      carried,
    )
  }
  return carried.foreign()
}

/** `keys.json` of llm: keys by the names of its plugins, which are mostly those of vendors. */
export function readLlm(text: string): Foreign {
  const carried = new Carried()
  const file = parseJson(text)
  for (const [vendor, key] of texts(file.entries())) {
    add({ name: '', vendor, address: file.at(''), key: { key }, models: [] }, carried)
  }
  return carried.foreign()
}
