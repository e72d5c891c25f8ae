import type { Carried } from '../carried.ts'
import { Field } from '../text/field.ts'
import { type EnvVendor, envVendors } from './env-vendors.ts'
import { type Api, vendorAt } from './vendor-at.ts'
import { type Vendor, vendorNamed } from './vendors.ts'

/** `your-key-here`, `<key>`, `sk-xxx`: written where a key is meant to be. */
const isFilledIn = (value: string | undefined): value is string =>
  value !== undefined &&
  value.trim() !== '' &&
  !/^(?:your|<|\{|\[|x{3,}|sk-x|sk-your|changeme|replace|todo|\.\.\.|none$|null$)/i.test(
    value.trim(),
  )

const modelVariables: Readonly<Record<string, readonly string[]>> = {
  anthropic: [
    'ANTHROPIC_MODEL',
    'ANTHROPIC_DEFAULT_OPUS_MODEL',
    'ANTHROPIC_DEFAULT_SONNET_MODEL',
    'ANTHROPIC_DEFAULT_HAIKU_MODEL',
    'ANTHROPIC_DEFAULT_FABLE_MODEL',
  ],
  gemini: ['GEMINI_MODEL'],
  openai: ['OPENAI_MODEL'],
}

/** Variables of clouds that no channel type is for. */
const clouds: readonly [variable: string, cloud: string][] = [
  ['AWS_BEARER_TOKEN_BEDROCK', 'Amazon Bedrock'],
  ['AWS_SECRET_ACCESS_KEY', 'Amazon Bedrock'],
  ['GOOGLE_APPLICATION_CREDENTIALS', 'Vertex AI'],
  ['VERTEXAI_PROJECT', 'Vertex AI'],
  ['REPLICATE_API_TOKEN', 'Replicate'],
]

const apiOf = ({ vendor }: EnvVendor): Api =>
  vendor === 'anthropic' || vendor === 'gemini' ? vendor : 'openai'

/** `OLLAMA_HOST` may be an address to listen on. */
const reachable = (address: string): string =>
  address.replace(/^((?:https?:\/\/)?)0\.0\.0\.0/, '$1127.0.0.1')

function vendorFor(row: EnvVendor, variables: ReadonlyMap<string, string>): Vendor | undefined {
  const own = vendorNamed(row.vendor)
  if (!own) return undefined
  const name = row.addresses?.find((one) => isFilledIn(variables.get(one)))
  if (name !== undefined) {
    const address = reachable(variables.get(name) ?? '')
    const vendor = vendorAt(new Field(address, name), apiOf(row))
    const isOpen = own.type !== 1 && vendor.type === 1
    return isOpen ? { ...vendor, type: own.type, name: own.name } : vendor
  }
  if (row.vendor !== 'azure') return own
  const resource = variables.get('AZURE_RESOURCE_NAME') ?? ''
  const isNamed = /^[\w-]+$/.test(resource)
  return isNamed ? { ...own, base_url: `https://${resource}.openai.azure.com` } : own
}

function addVendor(row: EnvVendor, variables: ReadonlyMap<string, string>, carried: Carried): void {
  const set = row.keys.filter((name) => isFilledIn(variables.get(name)))
  const isAddressed = row.addresses?.some((name) => isFilledIn(variables.get(name))) === true
  if (set.length === 0 && !(row.keyless && isAddressed)) return
  const vendor = vendorFor(row, variables)
  if (!vendor) return
  const models = (modelVariables[row.vendor] ?? []).map((name) => variables.get(name) ?? '')
  const keys = set.map((name) => ({ key: variables.get(name)?.trim() ?? '' }))
  carried.add({ name: vendor.name, vendor, keys, models: models.filter(isFilledIn) })
  if (row.ask !== undefined && !isAddressed) carried.leave(['address', vendor.name], row.ask)
}

/** Variables of no vendor we know that name a key and, beside it, an address. */
function addUnknown(
  variables: ReadonlyMap<string, string>,
  taken: ReadonlySet<string>,
  carried: Carried,
): void {
  for (const [name, key] of variables) {
    const stem = /^(.+)_API_KEY$/.exec(name)?.[1]
    if (stem === undefined || taken.has(name) || !isFilledIn(key)) continue
    const address = [`${stem}_BASE_URL`, `${stem}_API_BASE`].find((one) =>
      isFilledIn(variables.get(one)),
    )
    if (address === undefined) {
      carried.leave(name, 'unknown_variable')
      continue
    }
    const vendor = vendorAt(new Field(variables.get(address), address), 'openai')
    carried.add({ name: stem.toLowerCase(), vendor, keys: [{ key: key.trim() }] })
  }
}

/** Adds a channel for each vendor whose key the variables hold. */
export function readVariables(variables: ReadonlyMap<string, string>, carried: Carried): void {
  const taken = new Set<string>()
  for (const row of envVendors) {
    for (const name of row.keys) taken.add(name)
    addVendor(row, variables, carried)
  }
  addUnknown(variables, taken, carried)
  for (const [variable, cloud] of clouds) {
    if (isFilledIn(variables.get(variable))) {
      carried.leave(variable, ['no_type', { vendor: cloud }])
    }
  }
}
