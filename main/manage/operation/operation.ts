import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import { type ErrorCode, GatewayError } from '../../base/errors.ts'
import type { Answer } from '../../relay/call/answer.ts'
import type { User } from '../../store/records/users.ts'
import type { GatewayParts } from '../gateway-parts.ts'

/** Who may run an operation: anyone, a signed-in user, an administrator, the owner. */
export type Access = 'none' | 'user' | 'admin' | 'root'

/**
 * `session`: needs a session or the desktop's window. `recent`: and that the user signed in, or showed the
 * password or a code, in the last minutes. So an access token can neither outlive nor lock out its owner.
 */
export type Proof = 'session' | 'recent'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A browser's session, as far as operations see it. */
export interface SessionControl {
  readonly id: string
  /** Who gave the right password and still owes the second factor; null = nobody, or too long ago. */
  readonly pendingUserId: number | null
  /** Names this browser, where the user has signed in with it before; null = it is not known as the user's. */
  deviceOf(user: User): string | null
  /** Begins a new session for the user, under a new id, and makes this browser known as the user's. */
  signIn(user: User): Promise<void>
  /** Begins a new session that lets nobody in; the user has 300 seconds for the second factor. */
  awaitSecondFactor(user: User): Promise<void>
  signOut(): Promise<void>
}

/** The last time that who is signed in proved it again; kept with the session, or with the desktop's window. */
export interface Verification {
  /** Unix seconds until which it holds; null when it was never shown. */
  readonly expiresAt: number | null
  /** Unix seconds of the login; null where there was none. */
  readonly signedInAt: number | null
  /** Keeps that it was shown now, for 300 seconds; returns their end in unix seconds. */
  mark(): Promise<number>
}

/** Who asks, and from where. */
export interface OperationContext {
  parts: GatewayParts
  user: User | null
  /** How the user showed who they are; the desktop's window and the data folder's secret belong to the owner. */
  credential: 'session' | 'access-token' | 'desktop' | 'data-folder' | null
  /** Over HTTP only. */
  session: SessionControl | null
  /** null where nothing can be kept: an access token has no session. */
  verification: Verification | null
  via: 'http' | 'ipc'
  ip: string
  /** The request comes from this machine, and from no proxy on it. */
  loopback: boolean
  /** The request's id, which a failure names. */
  requestId: string
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
}

/** An answer that says more than its data: a notice, or further fields beside `data`. */
export class Reply<Data> {
  readonly data: Data
  readonly message: string
  readonly extra: Record<string, unknown>

  constructor(data: Data, beside: { message?: string; extra?: Record<string, unknown> } = {}) {
    this.data = data
    this.message = beside.message ?? ''
    this.extra = beside.extra ?? {}
  }
}

/** A failure that has something to say beside its message, such as how long it took. */
export class FailedReply extends GatewayError {
  readonly extra: Record<string, unknown>

  constructor(error: GatewayError, extra: Record<string, unknown>) {
    const { message, field, reason, status, retryAfter } = error
    super(error.code, {
      message,
      status,
      cause: error,
      ...(field === undefined ? {} : { field }),
      ...(reason === undefined ? {} : { reason }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    })
    this.extra = extra
  }
}

type DataOf<Returned> = Returned extends Reply<infer Data> ? Data : Returned

interface Definition<Name extends string, Method extends HttpMethod, Path extends string, Fields> {
  /** `channel.list`: what the console and the desktop call it. */
  name: Name
  /** One sentence for the API document. */
  summary?: string
  access: Access
  /** Asks for a step-up: who is signed in has shown in the last minutes that it is still them. */
  verified?: boolean
  /** Set where an access token is not enough. */
  proof?: Proof
  http: { method: Method; path: Path }
  /**
   * For a GET that changes something or calls a vendor (new-api has such). With a session it is answered to
   * the console's own pages only, since any page may make a browser send a GET.
   */
  hasEffect?: true
  /** HTTP input is query, JSON body and path parameters in one object. */
  input: Fields
  /**
   * `critical`: few for each user. `entry`, where people come in: counted apart from other anonymous requests,
   * and not at all from this machine and known devices. `search`: few with an access token. Their numbers are
   * in `document/request-limits.ts`.
   */
  limit?: 'critical' | 'entry' | 'search'
  /**
   * For the document: a secret can be guessed at here, and so wrong ones make the next attempt wait
   * (`login-password`, by `account/login-gate.ts`) or lock (`login-code`, by `account/login-codes.ts`, and
   * `own-secret`, by `account/second-factor.ts`).
   */
  guesses?: 'login-password' | 'login-code' | 'own-secret'
  /** Bytes that a body may have over HTTP, where the usual limit is not right. */
  bodyLimit?: number
  /** Statuses that clients of new-api know of single failures here, in place of the usual ones (option `LegacyStatus`). */
  legacyStatus?: { readonly [Code in ErrorCode]?: number }
  /** Refuses before the input is even read. */
  before?(context: OperationContext): void
}

export interface Operation<
  Name extends string = string,
  Method extends HttpMethod = HttpMethod,
  Path extends string = string,
  Fields extends z.ZodObject = z.ZodObject,
  Data = unknown,
> extends Definition<Name, Method, Path, Fields> {
  kind: 'operation'
  /** Schema of the answer's `data`. */
  output?: z.ZodType<Data>
  /** Fields beside `data` in the answer. */
  beside?: z.ZodObject
  /** Schema of a failure's `data`, where new-api's clients read it. */
  failureData?: z.ZodType
  run(input: z.output<Fields>, context: OperationContext): Promise<Reply<Data>>
}

export interface StreamOperation<
  Name extends string = string,
  Method extends HttpMethod = HttpMethod,
  Path extends string = string,
  Fields extends z.ZodObject = z.ZodObject,
> extends Definition<Name, Method, Path, Fields> {
  kind: 'stream'
  run(input: z.output<Fields>, context: OperationContext): Promise<Answer>
}

/** That something was changed or done, by the operation's name and never by what was sent. */
function noteChange(
  { name, access, http, hasEffect }: Pick<Operation, 'name' | 'access' | 'http' | 'hasEffect'>,
  { parts, user, via, requestId }: OperationContext,
): void {
  if ((http.method === 'GET' && !hasEffect) || access === 'none') return
  parts.log.info({ operation: name, user: user?.id ?? null, via, request: requestId }, 'changed')
}

/** An operation that is defined once and served over HTTP and over IPC. */
export function defineOperation<
  const Name extends string,
  const Method extends HttpMethod,
  const Path extends string,
  Fields extends z.ZodObject,
  Returned,
>(
  definition: Definition<Name, Method, Path, Fields> & {
    output?: z.ZodType<DataOf<Awaited<NoInfer<Returned>>>>
    beside?: z.ZodObject
    failureData?: z.ZodType
    run(input: z.output<Fields>, context: OperationContext): Returned
  },
): Operation<Name, Method, Path, Fields, DataOf<Awaited<Returned>>> {
  return {
    ...definition,
    kind: 'operation',
    async run(input, context) {
      const returned = await definition.run(input, context)
      noteChange(definition, context)
      const reply = returned instanceof Reply ? returned : new Reply(returned)
      return reply as Reply<DataOf<Awaited<Returned>>>
    },
  }
}

/** An operation whose answer is a relayed model call's, passed on as it comes. */
export function defineStream<
  const Name extends string,
  const Method extends HttpMethod,
  const Path extends string,
  Fields extends z.ZodObject,
>(
  definition: Definition<Name, Method, Path, Fields> & {
    run(input: z.output<Fields>, context: OperationContext): Promise<Answer>
  },
): StreamOperation<Name, Method, Path, Fields> {
  return { ...definition, kind: 'stream' }
}

/**
 * Called by a vendor's server. Its raw bytes are checked by a signature, so neither a session nor
 * JSON is asked for, and its answer is a status without a body.
 */
export interface Webhook {
  kind: 'webhook'
  name: string
  summary: string
  http: { method: 'POST'; path: string }
  /** The option with the secret that signs deliveries. While it is empty, every delivery is refused unread (403). */
  secretOption: 'StripeWebhookSecret' | 'CreemWebhookSecret'
  /** Status of the answer when its body cannot be read. */
  unreadable: number
  /** Gives the status of the answer; what is thrown becomes 500, so that the vendor sends it again. */
  receive(delivery: Delivery, parts: GatewayParts): Promise<number>
}

/** One request to a webhook. */
export interface Delivery {
  body: Buffer
  headers: IncomingHttpHeaders
  /** Secret that signs deliveries; never empty. */
  secret: string
}
