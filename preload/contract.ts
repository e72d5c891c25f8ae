import type { z } from 'zod'
import type { Operation } from '../main/manage/operation/operation.ts'
import type { operations } from '../main/manage/operation/operations.ts'
import type { GatewayEvent } from '../main/manage/server/gateway-events.ts'

type Definitions = typeof operations

type NameOf<Kind extends string> = {
  [Name in keyof Definitions]: Definitions[Name] extends { kind: Kind } ? Name : never
}[keyof Definitions]

type DataOf<Definition> =
  Definition extends Operation<
    string,
    'GET' | 'POST' | 'PUT' | 'DELETE',
    string,
    z.ZodObject,
    infer Data
  >
    ? Data
    : never

/** Operations that answer once. */
export type CallName = NameOf<'operation'>

/** Operations whose answer comes in pieces. */
export type StreamName = NameOf<'stream'>

export type OperationName = CallName | StreamName

/** Everything that the console can ask of the gateway. */
export type Operations = {
  [Name in OperationName]: {
    input: z.input<Definitions[Name]['input']>
    output: DataOf<Definitions[Name]>
    http: Definitions[Name]['http']
  }
}

export type OperationInput<Name extends OperationName> = Operations[Name]['input']
export type OperationOutput<Name extends OperationName> = Operations[Name]['output']

/** Method and path of every operation; path parameters are written `:name`. */
export type OperationRoutes = { readonly [Name in OperationName]: Operations[Name]['http'] }

export type PushedEvent = GatewayEvent

export interface CallError {
  /** `snake_case`, of management-api §1.1. */
  code: string
  /** A sentence for a person. */
  message: string
  /** Path of the input field at fault. */
  field?: string
  /** The HTTP status that stands for it. */
  status: number
  /** What a failure says beside its message, such as the `time` of a channel test. */
  extra?: Record<string, unknown>
}

export type CallResult =
  | { ok: true; data: unknown; message: string; extra: Record<string, unknown> }
  | { ok: false; error: CallError }

export type StreamEvent =
  | { type: 'start'; status: number; headers: Record<string, string> }
  | { type: 'chunk'; bytes: Uint8Array }
  | { type: 'end' }
  | { type: 'error'; message: string }

/** What the preload gives the desktop's console, as `window.switchyard`. */
export interface ConsoleBridge {
  call(name: string, input: unknown): Promise<CallResult>
  /** Returns what cancels it. */
  stream(name: string, input: unknown, onEvent: (event: StreamEvent) => void): () => void
  /** Returns what ends it. */
  on(event: PushedEvent, listener: () => void): () => void
  /** `process.platform`. */
  platform: string
}
