import type { CallError, CallResult, PushedEvent, StreamEvent } from '../../preload/contract.ts'
import { unixSeconds } from '../base/clock.ts'
import { requestId } from '../base/ids.ts'
import { VERIFIED_SECONDS } from '../manage/account/step-up.ts'
import { toFailure } from '../manage/channels/maintenance/failure.ts'
import type { GatewayParts } from '../manage/gateway-parts.ts'
import type { invokeStream } from '../manage/operation/invoke.ts'
import type { OperationContext, Verification } from '../manage/operation/operation.ts'
import { findOwner } from '../manage/operation/owner.ts'

type Answer = Awaited<ReturnType<typeof invokeStream>>

/** Half of the program: loaded when the window first asks for something. */
const operations = () => import('../manage/operation/invoke.ts')

/** Tells a page an answer as it comes: `start`, its bytes, and `end` or `error`. Aborting cancels it. */
function passOnAnswer(
  { status, headers, body }: Answer,
  signal: AbortSignal,
  tell: (event: StreamEvent) => void,
): void {
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)])
  tell({ type: 'start', status, headers: Object.fromEntries(flat) })
  if (body instanceof Uint8Array) {
    tell({ type: 'chunk', bytes: new Uint8Array(body) })
    tell({ type: 'end' })
    return
  }
  if (signal.aborted) {
    body.cancel()
    return
  }
  signal.addEventListener('abort', () => body.cancel(), { once: true })
  body.pipeTo({
    write(chunk) {
      // A copy of its own: a chunk is often a view of a larger buffer, which would be sent whole.
      tell({ type: 'chunk', bytes: new Uint8Array(chunk) })
      return true
    },
    end: () => tell({ type: 'end' }),
    fail: () => tell({ type: 'error', message: 'The answer broke off before its end.' }),
    // Messages to a page are queued by Electron, which never asks for a pause.
    onDrain() {},
  })
}

/** The operations, run for the window: as the owner, who sits in front of it. */
export interface ConsoleCalls {
  call(name: unknown, input: unknown): Promise<CallResult>
  /** `id` is the page's own, to cancel the stream by; `end` or `error` is the last that is told. */
  stream(id: number, name: unknown, input: unknown, tell: (event: StreamEvent) => void): void
  cancel(id: number): void
  /** Something that the page began is still under way. */
  readonly isBusy: boolean
  /** Ends everything that the page began, because nobody hears of it any more. */
  cancelAll(): void
  onPushed(event: PushedEvent, listener: () => void): void
}

export function createConsoleCalls(parts: GatewayParts): ConsoleCalls {
  const running = new Set<AbortController>()
  const streams = new Map<number, AbortController>()
  const verification = windowVerification()

  const begin = (): AbortController => {
    const controller = new AbortController()
    running.add(controller)
    return controller
  }

  const errorOf = (error: unknown, name: unknown, context: OperationContext): CallError => {
    const { retryAfter: _retryAfter, ...failure } = toFailure(error, String(name), context)
    return failure
  }

  return {
    async call(name, input) {
      const controller = begin()
      const context = ownerContext(parts, verification, controller.signal)
      try {
        const { invokeOperation } = await operations()
        const reply = await invokeOperation(String(name), input, context)
        return { ok: true, data: reply.data, message: reply.message, extra: reply.extra }
      } catch (error) {
        return { ok: false, error: errorOf(error, name, context) }
      } finally {
        running.delete(controller)
      }
    },

    stream(id, name, input, tell) {
      const controller = begin()
      const { signal } = controller
      streams.set(id, controller)
      const tellPage = (event: StreamEvent) => {
        if (event.type === 'end' || event.type === 'error') {
          running.delete(controller)
          streams.delete(id)
        }
        // A page that cancelled wants no more of it.
        if (!signal.aborted) tell(event)
      }
      const context = ownerContext(parts, verification, signal)
      operations()
        .then(({ invokeStream }) => invokeStream(String(name), input, context))
        .then((answer) => passOnAnswer(answer, signal, tellPage))
        .catch((error: unknown) =>
          tellPage({ type: 'error', message: errorOf(error, name, context).message }),
        )
    },

    cancel(id) {
      const controller = streams.get(id)
      if (!controller) return
      controller.abort()
      streams.delete(id)
      running.delete(controller)
    },

    get isBusy() {
      return running.size > 0
    },

    cancelAll() {
      for (const controller of running) controller.abort()
      running.clear()
      streams.clear()
    },

    onPushed(event, listener) {
      parts.events.on(event, listener)
    },
  }
}

/** The window's step-up, which ends with the process. */
function windowVerification(): Verification {
  let until: number | null = null
  return {
    get expiresAt() {
      return until
    },
    signedInAt: null,
    async mark() {
      until = unixSeconds() + VERIFIED_SECONDS
      return until
    },
  }
}

/** The window belongs to the owner; before the first run there is none. */
function ownerContext(
  parts: GatewayParts,
  verification: Verification,
  signal: AbortSignal,
): OperationContext {
  const user = findOwner(parts.users) ?? null
  return {
    parts,
    user,
    credential: user && 'desktop',
    session: null,
    verification,
    via: 'ipc',
    ip: '127.0.0.1',
    loopback: true,
    requestId: requestId(),
    signal,
  }
}
