import type { PriceDraft } from '../transfer.ts'
import { Carried, type ForeignKey } from './carried.ts'
import type { Field } from './text/field.ts'
import { parseYaml } from './text/parse-yaml.ts'
import { type ImporterWithVariables, keyIn, noVariables, type Variables } from './variables.ts'
import { type Api, vendorAt } from './vendor/vendor-at.ts'
import { type Vendor, vendorNamed } from './vendor/vendors.ts'

const REFERENCE = /^os\.environ\/(.+)$/

/** LiteLLM's prefixes for servers of OpenAI's format that have an address in the file. */
const compatible = new Set([
  'openai',
  'text-completion-openai',
  'custom_openai',
  'openai_like',
  'hosted_vllm',
  'vllm',
  'lm_studio',
  'llamafile',
  'xinference',
  'litellm_proxy',
  'azure_ai',
  'meta_llama',
  'github',
  'nscale',
  'featherless_ai',
  'wandb',
  'ovhcloud',
])

/** Prefixes of vendors that no channel type is for, and why. */
const without: Readonly<Record<string, string>> = {
  bedrock: 'Amazon Bedrock',
  sagemaker: 'Amazon SageMaker',
  sagemaker_chat: 'Amazon SageMaker',
  vertex_ai: 'Vertex AI',
  vertex_ai_beta: 'Vertex AI',
  replicate: 'Replicate',
  watsonx: 'watsonx',
  databricks: 'Databricks',
  predibase: 'Predibase',
  clarifai: 'Clarifai',
  github_copilot: 'GitHub Copilot, which signs in with an account,',
  chatgpt: 'ChatGPT accounts',
}

/** Variables that LiteLLM asks where the file names no key. */
const usualKey = (prefix: string): string => `${prefix.toUpperCase().replaceAll('-', '_')}_API_KEY`

const apis: Readonly<Record<string, Api>> = {
  anthropic: 'anthropic',
  anthropic_text: 'anthropic',
  gemini: 'gemini',
}

/** `provider/name`, where the provider is one that LiteLLM knows; without one the model names its vendor. */
function splitModel(model: string): { prefix: string; upstream: string } {
  const slash = model.indexOf('/')
  const prefix = slash < 0 ? '' : model.slice(0, slash)
  const isPrefix = compatible.has(prefix) || Object.hasOwn(without, prefix) || vendorNamed(prefix)
  if (isPrefix) return { prefix, upstream: model.slice(slash + 1) }
  if (/^claude/i.test(model)) return { prefix: 'anthropic', upstream: model }
  if (/^(?:gpt-|o\d|chatgpt-|text-embedding-|dall-e|whisper|tts-)/i.test(model)) {
    return { prefix: 'openai', upstream: model }
  }
  return { prefix: '', upstream: model }
}

class LiteLlmFile {
  readonly carried = new Carried()
  readonly prices = new Map<string, PriceDraft>()
  readonly #file: Field
  readonly #variables: Variables
  readonly #credentials = new Map<string, Field>()

  constructor(file: Field, variables: Variables) {
    this.#file = file
    const own = file.at('environment_variables')
    this.#variables = (name) => own.at(name).text() || variables(name)
    for (const credential of file.at('credential_list').items()) {
      this.#credentials.set(
        credential.at('credential_name').name(),
        credential.at('credential_values'),
      )
    }
  }

  read(): void {
    for (const entry of this.#file.at('model_list').items()) this.#deployment(entry)
    this.#leaveRest()
  }

  #deployment(entry: Field): void {
    const asked = entry.at('model_name').name()
    const params = entry.at('litellm_params')
    const { prefix, upstream } = splitModel(params.at('model').name())
    if (asked.includes('*') || upstream.includes('*')) {
      this.carried.leave(asked, 'pattern')
      return
    }
    const named = params.at('litellm_credential_name').text()
    const credential = this.#credentials.get(named)
    if (named !== '' && !credential) {
      this.carried.leave(asked, ['no_credential', { named: named.slice(0, 80) }])
      return
    }
    const param = (...names: string[]): Field => {
      const own = params.atOneOf(...names)
      return own.isThere || !credential ? own : credential.atOneOf(...names)
    }
    const vendor = this.#vendor(asked, prefix, param('api_base', 'base_url'))
    if (!vendor) return
    const order = param('order').isThere ? param('order') : entry.at('model_info').at('order')
    const priority = order.integer(-1_000_000, 1_000_000) ?? 0
    const weight = ['weight', 'rpm', 'tpm']
      .map((name) => params.at(name))
      .find((one) => one.isThere)
    this.carried.add({
      name: vendor.name,
      vendor,
      keys: [this.#key(param('api_key'), prefix, vendor)],
      models: [asked],
      mapping: asked === upstream ? {} : { [asked]: upstream },
      priority: priority === 0 ? 0 : -priority,
      weight: Math.min(weight?.integer(0, 1_000_000_000) ?? 0, 1_000_000),
    })
    this.#price(asked, entry)
    if (fixed.some((name) => params.at(name).isThere)) {
      this.carried.leave(['extras', asked], 'overrides')
    }
    if (param('api_version').isThere && vendor.type === 3) {
      this.carried.leave(['api_version', asked], 'current_api')
    }
  }

  #vendor(asked: string, prefix: string, address: Field): Vendor | null {
    if (Object.hasOwn(without, prefix)) {
      this.carried.leave(asked, ['no_type', { vendor: without[prefix] ?? prefix }])
      return null
    }
    const text = this.#text(address)
    if (text === null) {
      this.carried.leave(asked, 'address_in_variable')
      return null
    }
    if (text !== '') {
      const field = address.withText(text)
      const vendor = vendorAt(field, apis[prefix] ?? 'openai')
      const own = compatible.has(prefix) ? undefined : vendorNamed(prefix)
      // A prefix with a type of its own says more than an address that nobody knows.
      const isOwn = own !== undefined && vendor.type === 1 && own.type !== 1
      return isOwn ? { ...vendor, type: own.type, name: own.name } : vendor
    }
    const vendor = vendorNamed(prefix)
    if (vendor && (vendor.base_url !== null || vendor.type !== 3)) return vendor
    this.carried.leave(asked, 'neither_vendor')
    return null
  }

  #key(field: Field, prefix: string, vendor: Vendor): ForeignKey {
    const text = field.text()
    const reference = REFERENCE.exec(text)
    if (reference) return keyIn(reference[1] ?? '', this.#variables)
    if (text !== '' || !vendor.needsKey) return { key: text }
    return keyIn(usualKey(prefix), this.#variables)
  }

  /** Null where it is in a variable that isn't known. */
  #text(field: Field): string | null {
    const reference = REFERENCE.exec(field.text())
    return reference ? (this.#variables(reference[1] ?? '') ?? null) : field.text()
  }

  /** USD a token → our ratios: 1 = 2 USD per million. */
  #price(model: string, entry: Field): void {
    const cost = (name: string) => {
      const own = entry.at('litellm_params').at(name)
      return (own.isThere ? own : entry.at('model_info').at(name)).number(0, 1)
    }
    const input = cost('input_cost_per_token')
    const output = cost('output_cost_per_token')
    if (input === null) return
    const price: PriceDraft = { model, model_ratio: rounded(input * 500_000) }
    if (output !== null && input > 0) price.completion_ratio = rounded(output / input)
    const read = cost('cache_read_input_token_cost')
    const written = cost('cache_creation_input_token_cost')
    if (read !== null && input > 0) price.cache_ratio = rounded(read / input)
    if (written !== null && input > 0) price.create_cache_ratio = rounded(written / input)
    this.prices.set(model, price)
  }

  /** `[{ model: [models that are asked after it] }]`: a route of the model's own name for each. */
  #fallbacks(list: Field): void {
    for (const [model, others] of list.items().flatMap((item) => item.entries())) {
      const own = this.carried.target(model)
      const targets = others.items().flatMap((one) => this.carried.target(one.text()) ?? [])
      if (own && targets.length > 0) this.carried.route(model, [own, ...targets])
      if (!own || targets.length < others.items().length) {
        this.carried.leave(`${list.path}: ${model.slice(0, 80)}`, 'no_target')
      }
    }
  }

  #leaveRest(): void {
    const router = this.#file.at('router_settings')
    const settings = this.#file.at('litellm_settings')
    for (const [name, target] of router.at('model_group_alias').entries()) {
      const model = target.isText ? target.text() : target.at('model').text()
      if (!this.carried.alias(name, model)) {
        this.carried.leave(['alias', name], ['map_it', { model: model.slice(0, 80) }])
        continue
      }
      const price = this.prices.get(model)
      if (price) this.prices.set(name, { ...price, model: name })
    }
    for (const place of [router, settings]) {
      this.#fallbacks(place.at('fallbacks'))
      for (const name of fallbackLists) {
        if (!place.at(name).isThere) continue
        this.carried.leave(`${place.path}.${name}`, 'no_fallback_channels')
      }
    }
    const strategy = router.at('routing_strategy').text()
    if (strategy !== '' && strategy !== 'simple-shuffle') {
      this.carried.leave('router_settings.routing_strategy', 'priority_and_weight')
    }
    if (this.#file.at('general_settings').at('master_key').isThere) {
      this.carried.leave('general_settings.master_key', 'create_tokens')
    }
    if (this.#file.at('include').isThere) {
      this.carried.leave('include', 'other_files')
    }
  }
}

/** Parameters that a deployment sends with each call. */
const fixed = [
  'extra_headers',
  'organization',
  'temperature',
  'top_p',
  'max_tokens',
  'extra_body',
  'timeout',
  'stream_timeout',
] as const

/** Lists of models for a certain failure, or for every model. */
const fallbackLists = [
  'default_fallbacks',
  'context_window_fallbacks',
  'content_policy_fallbacks',
] as const

const rounded = (ratio: number): number => Number(ratio.toPrecision(12))

/** LiteLLM's `config.yaml`. */
export const liteLlm: ImporterWithVariables = {
  id: 'litellm',
  name: 'LiteLLM',
  detect: (text) => /^(?:model_list|"model_list"|credential_list)\s*:/m.test(text),
  read(text, variables = noVariables) {
    const file = new LiteLlmFile(parseYaml(text), variables)
    file.read()
    const { transfer, leftOut } = file.carried.foreign()
    const prices = [...file.prices.values()]
    return { transfer: prices.length > 0 ? { ...transfer, prices } : transfer, leftOut }
  },
}
