import type { Log } from '../base/log/log.ts'
import type { Captures } from '../capture/captures.ts'
import type { CallRow, Ledger } from '../store/ledger/ledger.ts'
import type { Channels } from '../store/records/channels.ts'
import type { Routes } from '../store/records/routes.ts'
import type { Tokens } from '../store/records/tokens.ts'
import type { Users } from '../store/records/users.ts'
import type { SecretKey } from '../store/secret-key/secret-key.ts'
import type { SettingsStore } from '../store/state/settings.ts'
import type { UserFetch } from '../upstream/user-fetch.ts'
import type { Call } from './call/call.ts'
import type { Affinity } from './channel/affinity.ts'
import type { ConnectionServices } from './channel/channel-connection.ts'
import type { KeyTurns } from './channel/channel-keys.ts'
import type { Health } from './circuit/health.ts'
import type { CachedContents } from './explicit-cache/cached-contents.ts'
import type { FailedAttempt } from './failure/failure.ts'
import type { BodyMemory } from './limits/body-memory.ts'
import type { CallSlots } from './limits/call-slots.ts'
import type { OpenCalls } from './limits/open-calls.ts'
import type { RequestLimits } from './limits/request-limit.ts'
import type { Reservations } from './limits/reservations.ts'
import type { TokenRates } from './limits/token-rate.ts'
import type { ReasoningMemory } from './memory/reasoning-memory.ts'
import type { ResponseMemory } from './memory/response-memory.ts'
import type { Translators } from './translate/threads/translators.ts'

/** The stores and tools of the relay. Each step asks for the few that it uses. */
export interface RelayServices {
  channels: Channels
  routes: Routes
  /** Callers change while their calls wait and their sessions last. */
  tokens: Tokens
  users: Users
  settings: SettingsStore
  /** The key that opens what is stored, or why it is not there. */
  secretKey: SecretKey
  /** The system's proxy for a URL. */
  systemProxy: ConnectionServices['systemProxy']
  ledger: Ledger
  openCalls: OpenCalls
  reservations: Reservations
  requestLimits: RequestLimits
  tokenRates: TokenRates
  /** How many calls may be under way, and which of those that wait is next. */
  slots: CallSlots
  /** Memory of the bodies of calls. */
  bodies: BodyMemory
  /** Translate large requests on threads of their own. */
  translators: Translators
  /** Reasoning state of answers, for clients that send none of it back. */
  reasoning: ReasoningMemory
  /** Prompts that are cached at Google. */
  cachedContents: CachedContents
  /** Answers that a Responses client may go on from by id. */
  responses: ResponseMemory
  /** Rotation among the keys of a channel. */
  keyTurns: Pick<KeyTurns, 'choose' | 'next'>
  /** Channel that answered each conversation last. */
  affinity: Affinity
  /** How channels, keys and models fared of late. */
  health: Health
  /** Keeps what crosses the borders of calls. */
  captures: Captures
  /** Fetches what users name by URL. */
  userFetch: UserFetch
  /** Tells this gateway's own calls by their header `x-switchyard-hop`; new with each start. */
  hopMark: string
  /** Called for every booked call, with the budgets it passed. Never throws. */
  onBooked(call: Call, row: CallRow, warnings: readonly CallRow[]): void
  /** Called for every attempt that the vendor or the channel's settings made fail. Never throws. */
  onFailedAttempt(failed: FailedAttempt): void
  log: Log
}
