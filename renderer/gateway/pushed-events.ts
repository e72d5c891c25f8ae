import type { PushedEvent } from '../../preload/contract.ts'

const reopenAfter = 5000

export interface PushedEvents {
  on(event: PushedEvent, listener: () => void): () => void
}

/** One EventSource for all listeners, opened by the first and closed after the last. */
export function createPushedEvents(url: string): PushedEvents {
  const listeners = new Map<PushedEvent, Set<() => void>>()
  let source: EventSource | null = null
  let wasOpen = false
  let reopening: ReturnType<typeof setTimeout> | undefined

  const listen = (event: PushedEvent) =>
    source?.addEventListener(event, () => {
      for (const listener of listeners.get(event) ?? []) listener()
    })

  const open = () => {
    clearTimeout(reopening)
    source = new EventSource(url)
    for (const event of listeners.keys()) listen(event)
    source.addEventListener('open', () => {
      // Nobody knows what happened meanwhile.
      if (wasOpen) for (const set of listeners.values()) for (const listener of set) listener()
      wasOpen = true
    })
    source.addEventListener('error', () => {
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
  }

  return {
    on(event, listener) {
      const known = listeners.get(event)
      if (known) known.add(listener)
      else {
        listeners.set(event, new Set([listener]))
        if (source) listen(event)
      }
      if (!source && typeof EventSource !== 'undefined') open()
      return () => {
        listeners.get(event)?.delete(listener)
        if ([...listeners.values()].every((set) => set.size === 0)) close()
      }
    },
  }
}
