import { GatewayError } from './errors.ts'

/**
 * Ends what is under way for one call. It does what an AbortController does for one listener; that one
 * costs several microseconds a call, which is more than routing takes.
 */
export class Cancellation {
  /** Why the call was ended, or null while it goes on. */
  reason: GatewayError | null = null
  #listener: ((reason: GatewayError) => void) | null = null

  cancel(reason: GatewayError): void {
    if (this.reason) return
    this.reason = reason
    this.#listener?.(reason)
  }

  /** One that follows an AbortSignal, for callers that have one. */
  static of(signal: AbortSignal): Cancellation {
    const cancellation = new Cancellation()
    const cancel = () =>
      cancellation.cancel(new GatewayError('client_gone', { message: 'The call was cancelled.' }))
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel, { once: true })
    return cancellation
  }

  /** The one listener, replacing an earlier one; called at once if already cancelled. */
  listen(listener: ((reason: GatewayError) => void) | null): void {
    this.#listener = listener
    if (this.reason) listener?.(this.reason)
  }
}
