import type { ConsoleBridge } from '../../preload/contract.ts'
import { CallFailure } from './call-failure.ts'
import type { GatewayClient, Reply } from './client.ts'

declare global {
  interface Window {
    /** Set by the preload, in the desktop only. */
    switchyard?: ConsoleBridge
  }
}

/** Each call crosses the preload's bridge. */
export function createIpcClient(bridge: ConsoleBridge): GatewayClient {
  return {
    transport: 'ipc',

    async call(name, input, signal) {
      const result = await untilAborted(bridge.call(name, input), signal)
      if (!result.ok) throw new CallFailure({ ...result.error, data: result.error.extra?.data })
      return { data: result.data, message: result.message, extra: result.extra } as Reply<never>
    },

    stream: (name, input, onEvent) => bridge.stream(name, input, onEvent),
    on: (event, listener) => bridge.on(event, listener),
  }
}

/** The bridge can't take back a call; the caller just stops waiting. */
function untilAborted<Value>(promise: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
