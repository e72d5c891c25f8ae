import type { IncomingHttpHeaders } from 'node:http'
import type { Cancellation } from '../../base/cancellation.ts'
import type { Log } from '../../base/log/log.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import type { JsonFields } from '../../convert/json/json-fields.ts'
import type { CallRow, Ledger } from '../../store/ledger/ledger.ts'
import type { Channels } from '../../store/records/channels.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { User } from '../../store/records/users.ts'
import type { SecretKey } from '../../store/secret-key/secret-key.ts'
import type { SettingsStore } from '../../store/state/settings.ts'
import type { FormBody } from '../../upstream/form/form-data.ts'
import type { UserFetch } from '../../upstream/user-fetch.ts'
import type { Affinity } from '../channel/affinity.ts'
import type { ConnectionParts } from '../channel/channel-connection.ts'
import type { KeyTurns } from '../channel/channel-keys.ts'
import type { Health } from '../circuit/health.ts'
import type { CachedContents } from '../explicit-cache/cached-contents.ts'
import type { FailedAttempt } from '../failure/failure.ts'
import type { BodyMemory } from '../limits/body-memory.ts'
import type { CallSlots } from '../limits/call-slots.ts'
import type { OpenCalls } from '../limits/open-calls.ts'
import type { RequestLimits } from '../limits/request-limit.ts'
import type { Reservations } from '../limits/reserve.ts'
import type { TokenRates } from '../limits/token-rate.ts'
import type { ReasoningMemory } from '../memory/reasoning-memory.ts'
import type { ResponseMemory } from '../memory/response-memory.ts'
import type { Translators } from '../translate/threads/translators.ts'

/** What a model call asks of its format: an answer, or only how many tokens its input has. */
export type CallVerb = 'generate' | 'count-tokens'

/** Who calls. A call of the console's own has no token. */
export interface Caller {
  token: Token | null
  user: User
  /** The address the call came from, IPv4 or IPv6. */
  ip: string
  /** Channel named in the key (`sk-<key>-<id>`), or null. */
  pinnedChannel: number | null
}

/** One model call as it came in. `body` holds the decoded bytes. */
export interface Call {
  id: string
  /** `performance.now()` when the head was there. */
  receivedAt: number
  format: CallFormat
  verb: CallVerb
  /** Path as the client asked it, for the log. */
  path: string
  model: string
  stream: boolean
  /** Gemini streams are events with `alt=sse`, else one JSON array. */
  asArray: boolean
  /** Of a call that came as a form: an empty object. */
  body: JsonFields
  /** The form that the call came as; null for JSON. */
  form: FormBody | null
  headers: IncomingHttpHeaders
  /** Query as it came, without the client's key: `beta=true`, or empty. */
  query: string
  caller: Caller
  /** Group to route in, where the caller chose one; else the token's or the user's. */
  group: string | null
  /** What the log names in place of a token: `playground`, `model test`; empty for a token's call. */
  origin: string
  /** Cancelled when the client leaves or the gateway stops. */
  cancellation: Cancellation
}

/** The stores and tools that the relay works with. */
export interface RelayParts {
  channels: Channels
  settings: SettingsStore
  /** The key that opens what is stored, or why it is not there. */
  secretKey: SecretKey
  /** What the system says of proxies for a URL. */
  systemProxy: ConnectionParts['systemProxy']
  ledger: Ledger
  openCalls: OpenCalls
  reservations: Reservations
  requestLimits: RequestLimits
  tokenRates: TokenRates
  /** How many calls may be under way, and which of those that wait is next. */
  slots: CallSlots
  /** What the bodies of calls take in memory. */
  bodies: BodyMemory
  /** Translate large requests on threads of their own. */
  translators: Translators
  /** Reasoning state of answers, for clients that send none of it back. */
  reasoning: ReasoningMemory
  /** Prompts that are cached at Google. */
  cachedContents: CachedContents
  /** Answers that a Responses client may go on from by id. */
  responses: ResponseMemory
  /** Whose turn it is among several keys of one channel. */
  keyTurns: Pick<KeyTurns, 'choose' | 'next'>
  /** Where conversations were answered last. */
  affinity: Affinity
  /** How channels, keys and models fared of late. */
  health: Health
  /** Fetches what users name by URL. */
  userFetch: UserFetch
  /** Tells this gateway's own calls by their header `x-switchyard-hop`; new with each start. */
  hopMark: string
  /** Told of every call when it counts, and of budgets that it has passed. Never throws. */
  onBooked(call: Call, row: CallRow, warnings: readonly CallRow[]): void
  /** Told of every attempt that the vendor, or the channel's own settings, made fail. Never throws. */
  onFailedAttempt(failed: FailedAttempt): void
  log: Log
}

/** Is it the gateway's own test of a channel? It costs nobody here anything, and no limit holds for it. */
export const isChannelTest = ({ origin }: Pick<Call, 'origin'>): boolean => origin === 'model test'

/** Whose memory a call draws on: its token's, or its user's where the console calls. */
export const ownerOf = ({ caller }: Pick<Call, 'caller'>): string =>
  caller.token ? `token ${caller.token.id}` : `user ${caller.user.id}`
