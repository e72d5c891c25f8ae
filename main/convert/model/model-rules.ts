import type { Effort, HostedTool, WireFormat } from '../exchange.ts'
import { modelName } from './model-name.ts'
import table from './model-rules.json' with { type: 'json' }

/** A model's rules at its upstream. Encoders ask this and never a model's name. */
export interface ModelRules {
  /** temperature, top_p and top_k are taken. */
  sampling: boolean
  /** temperature and top_p may be sent together. */
  bothSampling: boolean
  topK: boolean
  penalties: boolean
  seed: boolean
  stop: boolean
  logprobs: boolean
  logitBias: boolean
  /** Highest temperature. */
  temperatureMax: number
  /** Most stop sequences. */
  maxStop: number
  /** How thoughts are asked for. */
  thinking: 'adaptive' | 'budget' | 'level' | 'effort' | 'none'
  /** A number of tokens to think with is taken. */
  budgetThinking: boolean
  /** Can thoughts be turned off: always, up to effort `high`, only between tools, never? */
  thinkingOff: 'yes' | 'up-to-high' | 'between-tools' | 'no'
  /** The vendor's own field that turns off what a model thinks unasked; over Chat there's no effort for it then. */
  thinkingSwitch: 'none' | 'thinking' | 'enable_thinking'
  /** Accepted spellings of effort, rising; empty where the model takes none. */
  efforts: readonly Effort[]
  /**
   * Chat: the effort that may stand beside tools: any, no field at all, or `none`, which has to be said; `never` where
   * tools are refused whatever it is.
   */
  effortWithTools: 'any' | 'unset' | 'none' | 'never'
  /** Tokens; bounds of a budget. */
  minBudget: number
  maxBudget: number
  /** May a call be forced (`required`, or one tool by name)? `unnamed`: only by `required`. */
  forcedTool: 'yes' | 'unnamed' | 'without-thinking' | 'no'
  /** Most output tokens; sent where the format requires a limit and the client gave none. */
  maxOutput: number
  /** The same of an answer that isn't streamed, where that's less; null where it isn't. */
  maxWholeOutput: number | null
  /** The last turn may be the assistant's. */
  prefill: boolean
  /** System turns may stand inside the conversation. */
  midSystem: boolean
  /** Chat: a message of the user may stand right behind the result of a tool. */
  userAfterTool: boolean
  /** Chat: the role is `developer` instead of `system`. */
  developerRole: boolean
  /** Chat: the field that carries the limit. */
  maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** A JSON schema for the answer is taken. */
  structuredOutput: boolean
  /** JSON without a schema can be asked for. */
  jsonObject: boolean
  /** `strict` on a tool is taken. */
  strictTools: boolean
  freeformTools: boolean
  /** Responses: the model tells what it says on the way from its answer by `phase`. */
  phases: boolean
  namespaces: boolean
  /** Gemini: parametersJsonSchema and responseJsonSchema; else only the OpenAPI subset. */
  jsonSchemaField: boolean
  /** Images and files may stand inside results of tools. */
  resultMedia: boolean
  /** Gemini 3: a call without its signature is refused unless the documented stand-in is sent. */
  thoughtSignatures: boolean
  /** Thoughts before earlier calls have to go back: `reasoning_content`, blocks in Messages. */
  resendReasoning: boolean
  /** Chat: they go back in the text, between the tags that they came in. */
  inlineThoughts: boolean
  /**
   * Claude: a thought that goes back is refused once anything before it has changed (its prefix), unless the request
   * asks to leave it out then.
   */
  boundThoughts: boolean
  /** Claude: `speed: "fast"` is taken without a beta header. */
  fastMode: boolean
  /** Cache marks are taken. */
  cacheMarks: boolean
  /** Characters. */
  maxToolName: number
  /** Form of a call's id; see tool-ids.ts. */
  toolId: 'any64' | 'anthropic' | 'mistral9' | 'any40'
  /** The vendor fetches https addresses of images and documents itself. */
  urlMedia: boolean
  /** Tools that the vendor runs or defines. */
  hostedTools: readonly HostedTool[]
  /** Chat: `stream_options.include_usage` may be sent. */
  streamUsage: boolean
  /**
   * OpenAI's own: takes the fields by which accounts, caches and tools are steered, and refuses what other
   * vendors added; those often refuse the former.
   */
  openaiFields: boolean
  /** OpenAI's formats: `parallel_tool_calls` may be sent. */
  parallelSwitch: boolean
  /** Gemini: functions may stand beside tools of Google's. */
  toolsBesideHosted: boolean
  /** Gemini: the answer may be held to JSON while there are functions. */
  jsonBesideTools: boolean
}

/** Models that share rules. `bases` and then `rules` go over the format's defaults. */
interface ModelFamily {
  formats: readonly WireFormat[]
  /** A regular expression over the name as modelName spells it. */
  pattern: string
  bases?: readonly string[]
  rules: Partial<ModelRules>
  /** Where that is said, and when it was read. */
  note: string
}

interface RulesTable {
  /** The newest family's rules; for chat, what vendors that copied OpenAI's format have in common. A format without any takes those of chat. */
  defaults: Partial<Record<WireFormat, ModelRules>> & { chat: ModelRules }
  bases: Record<string, Partial<ModelRules>>
  /** The first that matches counts. */
  families: readonly ModelFamily[]
}

/** The table as data: a test checks its names and values, so nothing is checked at run time. */
export const rulesTable = table as RulesTable

const families = rulesTable.families.map((family) => ({
  ...family,
  matches: new RegExp(family.pattern),
}))

/** Rules by format and name, as calls ask for them again and again. */
const known = new Map<string, ModelRules>()
/** Clients may make up names without end, and of any length. */
const MOST_KNOWN = 500
const LONGEST_KNOWN = 200

function ownRules(format: WireFormat, model: string): ModelRules {
  const key = `${format} ${model}`
  const before = known.get(key)
  if (before) return before
  const name = modelName(model)
  const family = families.find((one) => one.formats.includes(format) && one.matches.test(name))
  const bases = (family?.bases ?? []).map((base) => rulesTable.bases[base])
  const defaults = rulesTable.defaults[format] ?? rulesTable.defaults.chat
  const rules: ModelRules = Object.assign({ ...defaults }, ...bases, family?.rules)
  if (known.size >= MOST_KNOWN) known.clear()
  if (model.length <= LONGEST_KNOWN) known.set(key, rules)
  return rules
}

/**
 * A model's rules at an upstream of `format`. A name that is not known gets the rules of the newest
 * family; on chat, where most names are other vendors', those of vendors compatible with OpenAI.
 * `overrides` are the channel's own and go over all.
 */
export const modelRules = (
  format: WireFormat,
  model: string,
  overrides?: Partial<ModelRules>,
): Readonly<ModelRules> =>
  overrides ? { ...ownRules(format, model), ...overrides } : ownRules(format, model)
