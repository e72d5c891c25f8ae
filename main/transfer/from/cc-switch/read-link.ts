import { Carried } from '../carried.ts'
import { readSwitchyardLink } from '../switchyard-link.ts'
import { Field } from '../text/field.ts'
import { parseJson } from '../text/parse-json.ts'
import { parseToml } from '../text/parse-toml.ts'
import { wrongText } from '../text/wrong-text.ts'
import { readProvider } from './read-provider.ts'

const MOST_LINKS = 200

/** Any of Base64's spellings; in a URL a `+` has become a blank. */
const decoded = (text: string): string =>
  Buffer.from(text.replaceAll(' ', '+'), 'base64').toString('utf8')

const modelParameters = ['model', 'opusModel', 'sonnetModel', 'haikuModel'] as const

/** The variables of a provider of Claude Code, as cc-switch makes them from a link. */
const claudeVariables: Readonly<Record<string, string>> = {
  model: 'ANTHROPIC_MODEL',
  opusModel: 'ANTHROPIC_DEFAULT_OPUS_MODEL',
  sonnetModel: 'ANTHROPIC_DEFAULT_SONNET_MODEL',
  haikuModel: 'ANTHROPIC_DEFAULT_HAIKU_MODEL',
}

const asRecord = (field: Field): Record<string, unknown> =>
  Object.fromEntries(field.entries().map(([name, one]) => [name, one.value]))

const without = (record: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => !!entry[1]),
  )

/** The link's configuration with the parameters over it, in the shape that the tool's providers have. */
function configOf(app: string, link: URLSearchParams, address: string, path: string): Field {
  const given = link.get('config')
  const isToml = link.get('configFormat') === 'toml'
  const text = given === null ? '' : decoded(given)
  const config = given === null || isToml ? new Field({}, path) : parseJson(text, path)
  const key = link.get('apiKey') ?? undefined
  const model = link.get('model') ?? undefined
  if (app === 'claude') {
    const models = modelParameters.map((name) => [claudeVariables[name], link.get(name) ?? ''])
    const over = without({ ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_BASE_URL: address })
    const env = { ...asRecord(config.at('env')), ...over, ...without(Object.fromEntries(models)) }
    return new Field({ env }, path)
  }
  if (app === 'gemini') {
    const over = { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: address, GEMINI_MODEL: model }
    return new Field({ ...asRecord(config), ...without(over) }, path)
  }
  if (app === 'codex') {
    const toml = isToml ? text : config.at('config').text()
    if (address === '' && model === undefined) return config
    const read = parseToml(toml, `${path}.config`)
    const active = read.at('model_providers').at(read.at('model_provider').text() || 'openai')
    const base = address || active.at('base_url').text() || read.at('base_url').text()
    const name = model ?? read.at('model').text()
    const lines = Object.entries(without({ base_url: base, model: name })).map(
      ([field, value]) => `${field} = ${JSON.stringify(value)}`,
    )
    const auth = { ...asRecord(config.at('auth')), ...without({ OPENAI_API_KEY: key }) }
    return new Field({ auth, config: lines.join('\n') }, path)
  }
  const options = without({ apiKey: key, baseURL: address })
  const isNested = app === 'opencode'
  const models = model === undefined ? {} : { models: isNested ? { [model]: {} } : [{ id: model }] }
  const flat = without({ apiKey: key, baseUrl: address, api_key: key, base_url: address })
  return new Field({ ...asRecord(config), ...(isNested ? { options } : flat), ...models }, path)
}

/** Reads `ccswitch://v1/import?…` links, one a line, and our own among them. */
export function readLinks(text: string): Carried {
  const carried = new Carried()
  const lines = text.split(/\s+/).filter((line) => line !== '')
  if (lines.length > MOST_LINKS)
    throw wrongText(`The text has more than ${MOST_LINKS} links.`, {
      code: 'many_links',
      most: MOST_LINKS,
    })
  for (const [index, line] of lines.entries()) {
    if (/^switchyard:/i.test(line)) {
      readSwitchyardLink(line, carried)
      continue
    }
    const path = `link ${index + 1}`
    const url = URL.canParse(line) ? new URL(line) : null
    if (url?.protocol !== 'ccswitch:' || url.host !== 'v1' || url.pathname !== '/import') {
      throw wrongText(
        `“${path}” isn’t a link of the form ccswitch://v1/import?resource=provider&…`,
        { code: 'link_form', link: path, form: 'ccswitch://v1/import?resource=provider&…' },
      )
    }
    const link = url.searchParams
    const name = link.get('name') || path
    const resource = link.get('resource') ?? ''
    if (resource !== 'provider') {
      carried.leave(name, [
        'no_provider',
        { resource: resource.slice(0, 40) || 'link without a resource' },
      ])
      continue
    }
    if (link.has('configUrl')) {
      carried.leave(name, 'elsewhere')
      continue
    }
    const app = link.get('app') ?? ''
    const [address = '', ...others] = (link.get('endpoint') ?? '').split(',')
    for (const other of others) {
      carried.leave(`${name}: ${other.trim().slice(0, 200)}`, 'one_address')
    }
    const config = configOf(app, link, address.trim(), path)
    readProvider({ app, name, config, meta: new Field({}, path), priority: 0 }, carried)
  }
  return carried
}
