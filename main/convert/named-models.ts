import { refuse } from './check-request.ts'
import type { JsonFields } from './json-fields.ts'
import { asArray, asObject } from './json-value.ts'

/** A model that a request names beside the one that it asks for. */
export interface NamedModel {
  name: string
  /** Where: `models[1]`. */
  at: string
}

/**
 * Lists of models that gateways behind a channel may answer with in place of the one that is asked for:
 * `models` of OpenRouter (https://openrouter.ai/docs/guides/routing/model-fallbacks), `fallbacks` of Anthropic's
 * Messages (beta `server-side-fallback`), of OpenRouter there and of LiteLLM
 * (https://docs.litellm.ai/docs/proxy/client_side_fallbacks).
 */
const LISTS = ['models', 'fallbacks'] as const
/** Anthropic's word for a list that it keeps itself. */
const DEFAULT = 'default'
/** Vercel's `providerOptions.gateway.models`: https://vercel.com/docs/ai-gateway/models-and-providers/model-fallbacks */
const OPTIONS = ['providerOptions', 'provider_options'] as const

const FIELDS = [...LISTS, ...OPTIONS]

/** The names in an entry: a name itself, `{model}`, or LiteLLM's `{"for this model": ["these"]}`. */
function inEntry(entry: unknown, at: string): NamedModel[] {
  if (typeof entry === 'string') return [{ name: entry, at }]
  const object = asObject(entry)
  if (!object) return refuse(at, 'must be the name of a model, or an object with its model')
  if (typeof object.model === 'string') return [{ name: object.model, at: `${at}.model` }]
  return Object.entries(object).flatMap(([key, list]) => inList(list, `${at}.${key}`))
}

function inList(list: unknown, at: string): NamedModel[] {
  if (list === undefined || list === null) return []
  if (list === DEFAULT) return []
  if (!Array.isArray(list)) refuse(at, 'must be a list of models')
  return (list as unknown[]).flatMap((entry, index) => inEntry(entry, `${at}[${index}]`))
}

/**
 * The field that leaves it to the vendor which models may answer: Anthropic's default fallbacks, OpenRouter's presets
 * (https://openrouter.ai/docs/guides/features/presets). Undefined where none does.
 */
export function openChoice(body: JsonFields): string | undefined {
  if (body.kind('fallbacks') === 'string') return 'fallbacks'
  return (body.kind('preset') ?? 'null') === 'null' ? undefined : 'preset'
}

const NONE: readonly NamedModel[] = []

/** The models, beside the one asked for, that may answer a request. Throws `invalid_request` for a list that is none. */
export function namedModels(body: JsonFields): readonly NamedModel[] {
  let named: readonly NamedModel[] = NONE
  for (const field of LISTS) {
    if (body.kind(field) !== undefined) named = [...named, ...inList(body.get(field), field)]
  }
  for (const field of OPTIONS) {
    if (body.kind(field) !== 'object') continue
    const gateway = asObject(asObject(body.get(field))?.gateway)
    named = [...named, ...inList(gateway?.models, `${field}.gateway.models`)]
  }
  return named
}

/** Models that tools are to call: Anthropic's advisor, OpenAI's images. They are charged beside the call's own. */
export function toolModels(body: JsonFields): readonly NamedModel[] {
  if (body.kind('tools') !== 'array') return NONE
  return asArray(body.get('tools')).flatMap((tool, index) => {
    const name = asObject(tool)?.model
    return typeof name === 'string' ? [{ name, at: `tools[${index}].model` }] : []
  })
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (typeof value === 'string') return rename(value)
  if (Array.isArray(value)) return value.map((one) => renamed(one, rename))
  const object = asObject(value)
  if (!object) return value
  if (typeof object.model === 'string') return { ...object, model: rename(object.model) }
  return Object.fromEntries(Object.entries(object).map(([key, one]) => [key, renamed(one, rename)]))
}

/** The lists to set in a request whose upstream knows the models by other names; none where it knows them by these. */
export function renameNamed(
  read: (field: string) => unknown,
  rename: (name: string) => string,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  if (FIELDS.every((field) => read(field) === undefined)) return fields
  const set = (
    field: string,
    value: unknown,
    inner: unknown,
    made: (inner: unknown) => unknown,
  ) => {
    if (value === undefined || value === null) return
    const changed = renamed(inner, rename)
    if (JSON.stringify(changed) !== JSON.stringify(inner)) fields[field] = made(changed)
  }
  for (const field of LISTS) set(field, read(field), read(field), (list) => list)
  for (const field of OPTIONS) {
    const options = asObject(read(field))
    const gateway = asObject(options?.gateway)
    const made = (models: unknown) => ({ ...options, gateway: { ...gateway, models } })
    set(field, gateway?.models, gateway?.models, made)
  }
  return fields
}
