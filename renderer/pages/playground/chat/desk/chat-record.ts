import type { AnswerFailure } from '../../run/answer-failure.ts'
import type { BookedFigures } from '../../run/booked-figures.ts'

export const wireFormats = ['chat', 'responses', 'messages', 'generate-content'] as const
export type WireFormat = (typeof wireFormats)[number]

/** Columns side by side. */
export const MOST_COLUMNS = 4

/** A file of a message; its bytes are kept apart. */
export interface Attachment {
  id: string
  kind: 'image' | 'document' | 'audio' | 'text'
  name: string
  /** `image/png` */
  type: string
  /** Bytes. */
  size: number
}

export interface ToolCall {
  id: string
  name: string
  /** JSON as it came. */
  arguments: string
  /** Null until it is answered. */
  result: string | null
}

/** Why a reply ended before the model was through: its output limit, or the vendor's filter. */
export type Ending = 'length' | 'filter'

export interface Turn {
  id: string
  /** The turn before it; null for the first. */
  parent: string | null
  role: 'user' | 'assistant'
  text: string
  reasoning: string
  /** The model wrote its thought into the text, between tags, and gets it back so. */
  isTagged?: boolean
  /** The thought came in `reasoning_content`: DeepSeek and MiMo refuse a tool's result without it. */
  goesBack?: boolean
  attachments: readonly Attachment[]
  calls: readonly ToolCall[]
  state: 'done' | 'streaming' | 'stopped' | 'failed'
  failure: AnswerFailure | null
  /** Missing in what was kept before there were endings. */
  ending?: Ending | null
  /** Its text is no longer the model’s, so it has no figures. */
  isEdited?: boolean
  model: string
  /** Request id of its call. */
  requestId: string | null
  /** As the stream tells; null is unknown. */
  usage: { input: number | null; output: number | null } | null
  /** Milliseconds; null while unknown. */
  firstToken: number | null
  duration: number | null
  booked: BookedFigures | null
  /** The same in all columns that the message was sent to. */
  prompt: string | null
}

export interface ToolDraft {
  id: string
  name: string
  description: string
  /** JSON schema of the arguments. */
  schema: string
  /** Null: answered by hand. */
  fixed: string | null
}

export const numberParameters = [
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'seed',
  'frequency_penalty',
  'presence_penalty',
] as const
export type NumberParameter = (typeof numberParameters)[number]

export const toolChoices = ['auto', 'none', 'required'] as const
/** `tool` and a tool's id: it has no name yet. */
type ToolId = `tool ${string}`

export const verbosities = ['low', 'medium', 'high'] as const
type Verbosity = (typeof verbosities)[number]

export interface ColumnSettings {
  model: string
  /** Null: as the gateway routes it. */
  channel: number | null
  format: WireFormat
  system: string
  numbers: Partial<Record<NumberParameter, number>>
  /** Stop sequences, one a line. */
  stop: string
  /** Id of the token to send as; null: as yourself. */
  token: number | null
  /** Empty: not sent. */
  effort: string
  verbosity: Verbosity | ''
  /** Tokens to think with; null: not sent. */
  budget: number | null
  /** May tools be called? Empty: not sent; else the id of the tool that must be. */
  toolChoice: (typeof toolChoices)[number] | '' | ToolId
  tools: readonly ToolDraft[]
  /** JSON schema of the answer; empty: plain text. */
  schema: string
  /** JSON object of further fields. */
  extra: string
}

export interface Column {
  key: string
  settings: ColumnSettings
  /** All branches. */
  turns: readonly Turn[]
  /** The last turn of the branch that is shown. */
  leaf: string | null
}

export interface ChatRecord {
  id: string
  /** Empty: named by its first message. */
  name: string
  /** Milliseconds. */
  createdAt: number
  updatedAt: number
  columns: readonly Column[]
}

export const blankSettings: ColumnSettings = {
  model: '',
  channel: null,
  format: 'chat',
  system: '',
  numbers: {},
  stop: '',
  token: null,
  effort: '',
  verbosity: '',
  budget: null,
  toolChoice: '',
  tools: [],
  schema: '',
  extra: '',
}

export const blankTurn = {
  ...{ text: '', reasoning: '', attachments: [], calls: [], state: 'done', failure: null },
  ...{ model: '', requestId: null, usage: null, firstToken: null, duration: null },
  ...{ booked: null, prompt: null },
} as const satisfies Partial<Turn>

// Not crypto.randomUUID: over plain HTTP from another machine browsers have none.
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

export function newRecord(settings: ColumnSettings = blankSettings): ChatRecord {
  const now = Date.now()
  const column: Column = { key: newId(), settings, turns: [], leaf: null }
  return { id: newId(), name: '', createdAt: now, updatedAt: now, columns: [column] }
}
