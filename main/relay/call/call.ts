import type { IncomingHttpHeaders } from 'node:http'
import type { Cancellation } from '../../base/cancellation.ts'
import type { CallCapture } from '../../capture/call-capture.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import type { JsonFields } from '../../convert/json/json-fields.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { User } from '../../store/records/users.ts'
import type { FormBody } from '../../upstream/form/form-data.ts'

/** An answer, or only the number of tokens of the input. */
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
  /** The token's alias for it, where the client asked by that. */
  askedModel?: string
  /** Aliases that it asks for beside it, as fallbacks or for tools; each with its model. */
  askedBeside?: ReadonlyMap<string, string>
  stream: boolean
  /** Gemini streams are events with `alt=sse`, else one JSON array. */
  asArray: boolean
  /** An empty object if the call came as a form. */
  body: JsonFields
  /** The form that the call came as; null for JSON. */
  form: FormBody | null
  headers: IncomingHttpHeaders
  /** Query as it came, without the client's key: `beta=true`, or empty. */
  query: string
  caller: Caller
  /** Group to route in, where the caller chose one; else the token's or the user's. */
  group: string | null
  /** Stands in the log in place of a token: `playground`, `model test`, `replay`; empty for a token's call. */
  origin: string
  /** Request id of the call that this one repeats. */
  replayOf?: string
  /** Cancelled when the client leaves or the gateway stops. */
  cancellation: Cancellation
  /** Keeps what crosses the call's borders; absent while nothing is captured. */
  capture?: CallCapture | null
}

/** `origin` of a call that tests a channel. */
export const CHANNEL_TEST = 'model test'

/** Is it the gateway's own test of a channel? It costs nobody here anything, and no limit holds for it. */
export const isChannelTest = ({ origin }: Pick<Call, 'origin'>): boolean => origin === CHANNEL_TEST

/** Whose memory a call draws on: its token's, or its user's where the console calls. */
export const ownerOf = ({ caller }: Pick<Call, 'caller'>): string =>
  caller.token ? `token ${caller.token.id}` : `user ${caller.user.id}`
