import type {
  CallName,
  OperationInput,
  OperationOutput,
  PushedEvent,
  StreamEvent,
  StreamName,
} from '../../preload/contract.ts'

/** The data of an answer, and further fields of its envelope (`time` of a channel test). */
export interface Reply<Data> {
  data: Data
  message: string
  extra: Record<string, unknown>
}

/** `http.ts` and `ipc.ts` implement it. */
export interface GatewayClient {
  readonly transport: 'http' | 'ipc'
  /** Rejects with CallFailure. Aborting stops waiting; over HTTP it aborts the request. */
  call<Name extends CallName>(
    name: Name,
    input: OperationInput<Name>,
    signal?: AbortSignal,
  ): Promise<Reply<OperationOutput<Name>>>
  /** Returns a function that cancels the stream at the gateway. */
  stream<Name extends StreamName>(
    name: Name,
    input: OperationInput<Name>,
    onEvent: (event: StreamEvent) => void,
  ): () => void
  /** Returns a function that stops listening. */
  on(event: PushedEvent, listener: () => void): () => void
}
