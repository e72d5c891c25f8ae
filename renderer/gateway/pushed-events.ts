import type { PushedEvent } from '../../preload/contract.ts'

const reopenAfter = 5000

export interface PushedEvents {
  on(event: PushedEvent, listener: () => void): () => void
}

/**
 * One EventSource for all listeners, opened by the first and closed after the last. A page in the background has none:
 * browsers open six connections to one server for all their pages, and this one lasts.
 */
export function createPushedEvents(url: string): PushedEvents {
  const listeners = new Set<readonly [PushedEvent, () => void]>()
  let source: EventSource | null = null
  let hasMissed = false
  let reopening: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    clearTimeout(reopening)
    source = new EventSource(url)
    for (const [event, listener] of listeners) source.addEventListener(event, listener)
    source.addEventListener('open', () => {
      // Nobody knows what happened meanwhile.
      if (hasMissed) for (const [, listener] of listeners) listener()
      hasMissed = true
    })
    source.addEventListener('error', () => {
      // Whether it's there at all shows sooner so than at the next look.
      for (const [event, listener] of listeners) if (event === 'server') listener()
      // The browser reconnects by itself, except after a refusal such as before the login.
      if (source?.readyState !== EventSource.CLOSED) return
      source = null
      reopening = setTimeout(open, reopenAfter)
    })
  }

  const close = () => {
    clearTimeout(reopening)
    source?.close()
    source = null
    hasMissed = true
  }

  const openIfShown = () => {
    if (document.hidden) close()
    else if (!source) open()
  }

  return {
    on(event, listener) {
      const entry = [event, listener] as const
      listeners.add(entry)
      source?.addEventListener(event, listener)
      if (typeof EventSource !== 'undefined') {
        document.onvisibilitychange = openIfShown
        openIfShown()
      }
      return () => {
        listeners.delete(entry)
        source?.removeEventListener(event, listener)
        if (listeners.size > 0) return
        document.onvisibilitychange = null
        close()
      }
    },
  }
}
