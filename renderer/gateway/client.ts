import type {
  CallName,
  OperationInput,
  OperationOutput,
  PushedEvent,
  StreamEvent,
  StreamName,
} from '../../preload/contract.ts'

/** What an operation answered: its data, and what it says beside it (`time` of a channel test). */
export interface Reply<Data> {
  data: Data
  message: string
  extra: Record<string, unknown>
}

/** The one way to the gateway; `http.ts` and `ipc.ts` are its two transports. */
export interface GatewayClient {
  readonly transport: 'http' | 'ipc'
  /** Runs an operation; rejects with CallFailure. Aborting stops waiting (over HTTP: the request). */
  call<Name extends CallName>(
    name: Name,
    input: OperationInput<Name>,
    signal?: AbortSignal,
  ): Promise<Reply<OperationOutput<Name>>>
  /** Starts a streamed operation; the returned function cancels it at the gateway. */
  stream<Name extends StreamName>(
    name: Name,
    input: OperationInput<Name>,
    onEvent: (event: StreamEvent) => void,
  ): () => void
  /** Listens to what the gateway pushes; the returned function stops that. */
  on(event: PushedEvent, listener: () => void): () => void
}
