/** The shape of a model call on the wire, named for its endpoint. */
export type WireFormat = 'chat' | 'messages' | 'generate-content' | 'responses'

/**
 * Usage of one model call, in tokens. `input` counts everything that was read, the cached and the
 * newly cached parts included, whatever the vendor's own style; `output` includes `reasoning`.
 */
export interface Usage {
  input: number
  cachedInput: number
  cacheWrite: number
  output: number
  reasoning: number
  /** Further usage that a vendor reports. */
  detail?: UsageDetail
  /** The service tier that answered, where it isn't the standard one and costs more or less. */
  tier?: PricedTier
  /** What other models used that the vendor ran within the call, by its names for them. Counted in no figure above. */
  others?: readonly { model: string; usage: Usage }[]
  /** The model that answered in place of the one asked for, by the vendor's name: what is counted here has its price. */
  answeredBy?: string
  /** The model that the answer says it is of, by the vendor's name: the asked one, a version of it, or its successor. */
  reportedModel?: string
  /** Counted, and not billed: the vendor refused before it said anything. */
  isUnbilled?: true
}

/** Service tiers with prices of their own, in the vendors' words; Anthropic's is `speed: "fast"`. */
export type PricedTier = 'fast' | 'priority' | 'ultrafast' | 'flex'

/** Shares of a usage's figures, in tokens; calls; what is not sold by the token; token-hours of cache storage. */
export type UsageDetail = Partial<
  Record<
    'cacheWrite1h' | 'cacheWrite12h' | 'inputAudio' | 'inputImage' | 'outputAudio' | 'outputImage',
    number
  > &
    Record<'cachedAudio' | 'cachedImage', number> &
    Record<'compactionInput' | 'compactionOutput' | 'toolPrompt' | 'webSearches', number> &
    /** Tokens of a vendor's own tool that draws, by another model. */
    Record<'imageTool', number> &
    Record<'webFetches' | 'searchUnits' | 'cacheWriteRead' | 'cacheStorage', number> &
    Record<'seconds' | 'characters' | 'images', number>
>

/**
 * Fields of a wire object that the exchange has no word for. They go back to their own format only;
 * encoding to another one notes each as a loss.
 */
export interface Native {
  origin: WireFormat | 'completions'
  fields: Record<string, unknown>
}

/** State of reasoning that only its maker can read; any other vendor refuses the call. */
export interface ReasoningState {
  /** Wire format of the upstream that made it. */
  origin: WireFormat
  /** `signature` belongs to the text beside it, `redacted` and `encrypted` stand for a text of their own. */
  kind: 'signature' | 'redacted' | 'encrypted'
  /** As the vendor wrote it. */
  data: string
  /** Model at the upstream; null where it is not known, as in what a client kept from elsewhere. */
  model: string | null
  /** The item's own id, where the vendor gives one (`rs_…`). */
  id?: string
  /** The readable thoughts that it belongs to, where they stand in the mark that a client carries. */
  text?: string
}

/** A prompt up to and including this part is worth keeping in the vendor's cache. */
export interface CacheMark {
  /** As the vendor spells it: `5m`, `1h` (Anthropic), `30m`, `12h` (OpenAI); null for its default. */
  ttl: string | null
}

/** Fields that every node of a request may carry. */
interface Node {
  /** Where it stands in the client's body: `messages[3].content[1]`. Absent in answers. */
  at?: string
  cacheMark?: CacheMark
  native?: Native
}

export type Citation =
  | {
      type: 'url'
      url: string
      title: string | null
      /** Characters of the text it belongs to, from `start` up to, not including, `end`. */
      start?: number
      end?: number
      citedText?: string
      native?: Native
    }
  | { type: 'document'; title: string | null; citedText: string | null; native?: Native }

export interface TextPart extends Node {
  type: 'text'
  text: string
  citations?: Citation[]
  /** Google puts a signature on text too. */
  state?: ReasoningState
}

export type MediaKind = 'image' | 'document' | 'audio' | 'video'

export type MediaSource =
  /** `data` is plain base64 without prefix or white space. */
  | { type: 'base64'; mediaType: string; data: string }
  | { type: 'url'; url: string; mediaType: string | null }
  | { type: 'text'; text: string; mediaType: string }
  /** A file that lies at the vendor: means nothing to another. */
  | { type: 'file'; id: string; origin: WireFormat }

export interface MediaPart extends Node {
  type: 'media'
  kind: MediaKind
  source: MediaSource
  filename?: string
  title?: string
  /** Facts of a document for the model, beside its content. */
  context?: string
  /** OpenAI's `detail`: auto, low, high, original. */
  detail?: string
  /** May the model cite it? */
  citations?: boolean
  state?: ReasoningState
}

/** The model's own words of refusal. */
export interface RefusalPart extends Node {
  type: 'refusal'
  text: string
}

export interface ReasoningPart extends Node {
  type: 'reasoning'
  /** Readable text, in sections where the vendor makes some; empty where only state is given. */
  sections: string[]
  /** A vendor's summary of its thoughts, or the thoughts themselves. */
  form: 'summary' | 'raw'
  state?: ReasoningState
}

export interface ToolCallPart extends Node {
  type: 'call'
  /** The client's or vendor's id; null where there is none (Gemini). */
  id: string | null
  name: string
  /** The tool's namespace, if any (Codex's MCP servers). */
  namespace?: string
  kind: 'function' | 'freeform'
  /** JSON source text of the arguments (never rebuilt, so that no number is rounded), or the free text. */
  arguments: string
  state?: ReasoningState
}

export interface ToolResultPart extends Node {
  type: 'result'
  /** Id of the call; null where the format has none and order counts. */
  callId: string | null
  /** Name of the tool, where the format says it. */
  name: string | null
  kind: 'function' | 'freeform'
  isError: boolean
  parts: (TextPart | MediaPart | NativePart)[]
}

/** A tool that ran at the vendor, with what it brought, in the vendor's own form. */
export interface HostedPart extends Node {
  type: 'hosted'
  tool: HostedTool
  origin: WireFormat
  /** The wire object as it was. */
  value: Record<string, unknown>
}

/** A piece of a wire format that no other can hold. */
export interface NativePart extends Node {
  type: 'native'
  origin: WireFormat
  value: Record<string, unknown>
}

export type Part =
  | TextPart
  | MediaPart
  | RefusalPart
  | ReasoningPart
  | ToolCallPart
  | ToolResultPart
  | HostedPart
  | NativePart

/**
 * One turn. Neighbours may be of one role; an encoder merges them where its format wants that. Results
 * of tools stand in turns of their own, in the order of the wire.
 */
export interface Turn {
  role: 'system' | 'user' | 'assistant' | 'tool'
  parts: Part[]
  /** How hard the model is to think from here on, as a system turn of Anthropic's says. */
  effort?: Effort
  /** A system turn of Anthropic's that the model reads only until the user's next message. */
  isFleeting?: boolean
  at?: string
  native?: Native
}

/** Tools that run at a vendor or that a vendor defines; the second group runs at the client. */
export type HostedTool =
  | 'web-search'
  | 'web-fetch'
  | 'code-execution'
  | 'file-search'
  | 'image-generation'
  | 'maps'
  | 'mcp'
  | 'tool-search'
  | 'bash'
  | 'text-editor'
  | 'computer'
  | 'memory'
  | 'apply-patch'
  | 'local-shell'
  | 'shell'
  | 'other'

export interface FunctionTool extends Node {
  type: 'function'
  name: string
  namespace?: string
  description?: string
  /** JSON Schema of the arguments; null for a tool without any. */
  schema: Record<string, unknown> | null
  /** Absent where the client left the vendor's default. */
  strict?: boolean
}

export interface FreeformTool extends Node {
  type: 'freeform'
  name: string
  namespace?: string
  description?: string
  grammar: { syntax: string; definition: string } | null
}

export interface HostedToolDefinition extends Node {
  type: 'hosted'
  tool: HostedTool
  /** As the vendor names it: `web_search_20250305`, `googleSearch`. */
  name: string
  origin: WireFormat
  value: Record<string, unknown>
}

export type ToolDefinition = FunctionTool | FreeformTool | HostedToolDefinition

export type ToolChoice =
  | { mode: 'auto' | 'none' | 'required' }
  | { mode: 'one'; name: string; namespace?: string; kind: 'function' | 'freeform' | 'hosted' }
  /** Only these; `isRequired` when one of them must be called. */
  | { mode: 'some'; names: string[]; isRequired: boolean }

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export interface ReasoningRequest {
  effort?: Effort
  /** Tokens to think with; `dynamic` leaves it to the model. */
  budget?: number | 'dynamic'
  /** The client's words for its kind of thinking, where the format has several. */
  mode?: 'on' | 'off' | 'adaptive' | 'between-tools'
  /** Does the client want to read the thoughts? Absent: the vendor's default. */
  isShown?: boolean
}

export type OutputShape =
  | { type: 'json' }
  | {
      type: 'schema'
      schema: Record<string, unknown>
      name?: string
      description?: string
      strict?: boolean
    }

/** Everything one call asks of a model, whatever format it came in. Absent means: not sent. */
export interface ExchangeRequest {
  /** Format that the client speaks. */
  origin: WireFormat
  model: string
  stream: boolean
  turns: Turn[]
  tools: ToolDefinition[]
  toolChoice?: ToolChoice
  /** False asks for one call at most in an answer. */
  parallelCalls?: boolean
  reasoning?: ReasoningRequest
  output?: OutputShape
  maxOutput?: number
  temperature?: number
  topP?: number
  topK?: number
  stop?: string[]
  /** Answers wanted. */
  count?: number
  seed?: number
  presencePenalty?: number
  frequencyPenalty?: number
  logitBias?: Record<string, number>
  /** Likely tokens to tell beside each; 0 for the chosen one alone. */
  logprobs?: number
  verbosity?: string
  serviceTier?: string
  /** Kinds of output beside text. */
  modalities?: ('text' | 'image' | 'audio')[]
  /** A person or session at the client, for the vendor's abuse watch. */
  user?: string
  metadata?: Record<string, string>
  cacheKey?: string
  /** Responses: the stored answer that this one goes on from. */
  previousResponseId?: string
  store?: boolean
  /** Does the client want usage in its stream (Chat's `include_usage`)? */
  wantsStreamUsage?: boolean
  native?: Native
}

/** Fields of a request that a refusal or a loss can name; each codec says how its format spells them. */
export type RequestField = Exclude<keyof ExchangeRequest, 'origin' | 'native'>
