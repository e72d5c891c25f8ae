import type { JsonFields } from '../json/json-fields.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asArray, asObject } from '../json/json-value.ts'
import { refuse, wholeNumber } from './check-request.ts'
import { KeyList } from './key-list.ts'
import { withinStack } from './too-deep.ts'

/** A model that a request names beside the one that it asks for. */
export interface NamedModel {
  name: string
  /** Where: `models[1]`. */
  at: string
  /** Request in the place of the call: `{model, max_tokens, n}`. Absent where only its name stands. */
  own?: Readonly<JsonObject>
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
const TOOLS = 'tools'
/** Who draws a picture as SVG, beside the model that draws it: `ImageGenerateParams.Svg` of OpenAI's SDK 7.59. */
const AUTHOR = 'svg'
/** The same in a form. */
export const AUTHOR_IN_FORM = `${AUTHOR}[model]`
/** Fields of a form in which somebody might look for the author's model; those that say how it reasons are none. */
const FORM_AUTHORS = /^svg(?!\[reasoning\])/i

/**
 * OpenRouter's panels of models that answer before the call's own does, as a plugin or a tool:
 * https://openrouter.ai/docs/guides/features/plugins/fusion
 */
const PLUGINS = 'plugins'
const PANEL = 'fusion'
const OPENROUTERS = 'openrouter:'

const isOf = (names: readonly string[], name: string): boolean => names.includes(name)

/** Limits that an entry may have of its own. */
const LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'n', 'best_of'] as const
/** Lists in an entry that name no model. */
const NO_MODELS: ReadonlySet<string> = new Set([
  ...['messages', 'input', 'contents', 'prompt', 'system', 'tools', 'functions', 'stop'],
  ...['stop_sequences', 'modalities', 'include', 'betas', 'order', 'only', 'ignore', 'tags'],
])

const guardedKeys = new KeyList([
  ...['model', ...FIELDS, ...LIMITS, 'tools', 'stream', 'service_tier', 'preset'],
])

/** An entry's fields beside its model: lists of models in turn, and models that tools call. */
function besideModel(entry: JsonObject, at: string): NamedModel[] {
  for (const field of LIMITS) {
    const limit = entry[field] ?? null
    if (limit !== null && (wholeNumber(limit) ?? -1) < 1)
      refuse(`${at}.${field}`, { code: 'must_be_whole_of_at_least', least: 1 })
  }
  if ((entry.preset ?? null) !== null) refuse(`${at}.preset`, 'preset_not_there')
  const lists = Object.entries(entry).filter(
    ([key, value]) => isOf(LISTS, key) || (Array.isArray(value) && !NO_MODELS.has(key)),
  )
  return [
    ...lists.flatMap(([key, list]) => inList(list, `${at}.${key}`)),
    ...OPTIONS.flatMap((key) => inOptions(entry[key], `${at}.${key}`)),
    ...inTools(entry[TOOLS], `${at}.${TOOLS}`),
  ]
}

/** The names in an entry: a name itself, `{model}`, or LiteLLM's `{"for this model": ["these"]}`. */
function inEntry(entry: unknown, at: string): NamedModel[] {
  if (typeof entry === 'string') return [{ name: entry, at }]
  const object = asObject(entry)
  if (!object) return refuse(at, 'must_be_model_or_object')
  guardedKeys.check(Object.keys(object), `${at}.`)
  if (typeof object.model === 'string') {
    const own = { name: object.model, at: `${at}.model`, own: object }
    return [own, ...besideModel(object, at)]
  }
  return Object.entries(object).flatMap(([key, list]) => inList(list, `${at}.${key}`))
}

const inOptions = (options: unknown, at: string): NamedModel[] =>
  inList(asObject(asObject(options)?.gateway)?.models, `${at}.gateway.models`)

const named = (name: unknown, at: string): NamedModel[] =>
  typeof name === 'string' ? [{ name, at }] : []

const inTools = (tools: unknown, at: string): NamedModel[] =>
  asArray(tools).flatMap((tool, index) => [
    ...named(asObject(tool)?.model, `${at}[${index}].model`),
    ...(isOpenRouters(tool) ? inPanel(tool.parameters, `${at}[${index}].parameters`) : []),
  ])

const isOpenRouters = (tool: unknown): tool is JsonObject & { type: string } =>
  String(asObject(tool)?.type).startsWith(OPENROUTERS)

/** The judge of a panel, and its members. */
function inPanel(panel: unknown, at: string): NamedModel[] {
  const { model, analysis_models: members } = asObject(panel) ?? {}
  return [
    ...named(model, `${at}.model`),
    ...asArray(members).flatMap((name, index) => named(name, `${at}.analysis_models[${index}]`)),
  ]
}

const inPlugins = (body: JsonFields): NamedModel[] =>
  body.kind(PLUGINS) === 'array'
    ? asArray(body.get(PLUGINS)).flatMap((one, index) => inPanel(one, `${PLUGINS}[${index}]`))
    : []

/** Does it leave it to the vendor who sits on the panel, or who judges? */
function isOpenPanel(panel: unknown): boolean {
  const { model, analysis_models: members } = asObject(panel) ?? {}
  return typeof model !== 'string' || asArray(members).length === 0
}

function inList(list: unknown, at: string): NamedModel[] {
  if (list === undefined || list === null) return []
  if (list === DEFAULT) return []
  if (!Array.isArray(list)) refuse(at, 'must_be_models')
  return (list as unknown[]).flatMap((entry, index) => inEntry(entry, `${at}[${index}]`))
}

/**
 * The field that leaves it to the vendor which models may answer: Anthropic's default fallbacks, OpenRouter's presets
 * (https://openrouter.ai/docs/guides/features/presets) and its panels. Undefined where none does.
 */
export function openChoice(body: JsonFields): string | undefined {
  if (body.kind('fallbacks') === 'string') return 'fallbacks'
  const plugins = body.kind(PLUGINS) === 'array' ? asArray(body.get(PLUGINS)) : []
  if (plugins.some((one) => asObject(one)?.id === PANEL && isOpenPanel(one))) return PLUGINS
  const tools = body.kind(TOOLS) === 'array' ? asArray(body.get(TOOLS)).filter(isOpenRouters) : []
  const panels = tools.filter(({ type }) => type === OPENROUTERS + PANEL)
  if (panels.some(({ parameters }) => isOpenPanel(parameters))) return TOOLS
  return (body.kind('preset') ?? 'null') === 'null' ? undefined : 'preset'
}

const NONE: readonly NamedModel[] = []

/** The models, beside the one asked for, that may answer a request. Throws `invalid_request` for a list that is none. */
export function namedModels(body: JsonFields): readonly NamedModel[] {
  if (!body.names().some((name) => isOf(FIELDS, name))) return NONE
  return withinStack('lists_too_deep', () => {
    let found: readonly NamedModel[] = NONE
    for (const field of LISTS) {
      if (body.kind(field) !== undefined) found = [...found, ...inList(body.get(field), field)]
    }
    for (const field of OPTIONS) {
      if (body.kind(field) === 'object') found = [...found, ...inOptions(body.get(field), field)]
    }
    return found
  })
}

/**
 * Models that are to help the call's own: those that tools call, as Anthropic's advisor and OpenAI's images, OpenRouter's
 * panels, and the author of an SVG. They are charged beside it.
 */
export function helperModels(body: JsonFields): readonly NamedModel[] {
  const tools = body.kind(TOOLS) === 'array' ? inTools(body.get(TOOLS), TOOLS) : NONE
  const author = body.kind(AUTHOR) === 'object' ? asObject(body.get(AUTHOR))?.model : undefined
  return [...tools, ...inPlugins(body), ...named(author, `${AUTHOR}.model`)]
}

/** The models that a form names beside its own. */
export const formModels = (fields: Readonly<Record<string, readonly string[]>>): NamedModel[] =>
  Object.entries(fields).flatMap(([at, names]) =>
    FORM_AUTHORS.test(at) ? names.map((name) => ({ name, at })) : [],
  )

/** An entry, with its own model and those that it names in turn under other names. */
function renamedEntry(entry: JsonObject, rename: (name: string) => string): JsonObject {
  const fields = Object.entries(entry).map(([key, value]) => {
    if (key === 'model' && typeof value === 'string') return [key, rename(value)]
    if (key === TOOLS) return [key, renamedTools(value, rename)]
    if (isOf(OPTIONS, key)) return [key, renamedOptions(value, rename)]
    const isList = Array.isArray(value) && (isOf(LISTS, key) || !NO_MODELS.has(key))
    return [key, isList ? renamed(value, rename) : value]
  })
  return Object.fromEntries(fields)
}

function renamedOptions(value: unknown, rename: (name: string) => string): unknown {
  const options = asObject(value)
  const gateway = asObject(options?.gateway)
  if (!gateway || gateway.models === undefined) return value
  return { ...options, gateway: { ...gateway, models: renamed(gateway.models, rename) } }
}

function renamedTools(value: unknown, rename: (name: string) => string): unknown {
  return Array.isArray(value) ? value.map((tool) => renamedHelper(tool, rename)) : value
}

/** A tool, or an author. */
function renamedHelper(value: unknown, rename: (name: string) => string): unknown {
  const object = asObject(value)
  return typeof object?.model === 'string' ? { ...object, model: rename(object.model) } : value
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (typeof value === 'string') return rename(value)
  if (Array.isArray(value))
    return value.map((one) => (Array.isArray(one) ? one : renamed(one, rename)))
  const object = asObject(value)
  if (!object) return value
  if (typeof object.model === 'string') return renamedEntry(object, rename)
  // LiteLLM's: the key is a model too. Two keys that become one have their lists one after the other.
  const lists = new Map<string, unknown>()
  for (const [key, one] of Object.entries(object)) {
    const name = rename(key)
    const before = lists.get(name)
    const list = Array.isArray(one) ? (renamed(one, rename) as unknown[]) : one
    lists.set(name, Array.isArray(before) && Array.isArray(list) ? [...before, ...list] : list)
  }
  return Object.fromEntries(lists)
}

/** How the models in a field get other names, where it is no list of models. */
const renames: Readonly<Record<string, typeof renamed>> = {
  ...Object.fromEntries(OPTIONS.map((field) => [field, renamedOptions])),
  [TOOLS]: renamedTools,
  [AUTHOR]: renamedHelper,
}

/** The key `model`, or a beginning of it in escapes: all of its letters have codes from U+0064 to U+006F. */
const MODEL_KEYS = ['"model"', '\\u006']

/** Reads what `renameNamed` asks of a body, without parsing tools that name no model. */
export const modelFieldsOf =
  (body: JsonFields) =>
  (field: string): unknown => {
    if (field !== TOOLS) return body.exact(field)
    const written = body.rawOf(TOOLS)
    return MODEL_KEYS.some((key) => written.includes(key)) ? body.exact(TOOLS) : undefined
  }

/** Fields to set in a request whose models beside its own, tools' among them, go by other names; none where none does. */
export function renameNamed(
  read: (field: string) => unknown,
  rename: (name: string) => string,
): JsonObject {
  const fields: JsonObject = {}
  return withinStack('lists_too_deep', () => {
    for (const field of [...FIELDS, TOOLS, AUTHOR]) {
      const value = read(field) ?? null
      if (value === null) continue
      const change = renames[field] ?? renamed
      const changed = change(value, rename)
      if (JSON.stringify(changed) !== JSON.stringify(value)) fields[field] = changed
    }
    return fields
  })
}
