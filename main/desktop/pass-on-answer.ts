import type { StreamEvent } from '../../preload/contract.ts'
import type { invokeStream } from '../manage/operation/invoke.ts'

type Answer = Awaited<ReturnType<typeof invokeStream>>

/** Tells a page an answer as it comes: `start`, its bytes, and `end` or `error`. Aborting cancels it. */
export function passOnAnswer(
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
