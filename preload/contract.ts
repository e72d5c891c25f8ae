import type { z } from 'zod'
import type { Operation } from '../main/manage/operation/operation.ts'
import type { operations } from '../main/manage/operation/operations.ts'
import type { Reason, SentenceValues } from '../main/manage/operation/sentence.ts'
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

/** Operations with one answer. */
export type CallName = NameOf<'operation'>

/** Operations whose answer is a stream of events. */
export type StreamName = NameOf<'stream'>

export type OperationName = CallName | StreamName

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

export type { Reason, SentenceValues }

export interface CallError {
  /** `snake_case`, of management-api §1.1. */
  code: string
  message: string
  /** Path of the refused input field. */
  field?: string
  /** The message by code and values. */
  reason?: Reason
  /** HTTP status. */
  status: number
  /** Further data of a failure, such as the `time` of a channel test. */
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

/** `window.switchyard` in the desktop's console. */
export interface ConsoleBridge {
  call(name: string, input: unknown): Promise<CallResult>
  /** Returns a function that cancels the stream. */
  stream(name: string, input: unknown, onEvent: (event: StreamEvent) => void): () => void
  /** Returns a function that stops listening. */
  on(event: PushedEvent, listener: () => void): () => void
  /** `process.platform`. */
  platform: string
}
