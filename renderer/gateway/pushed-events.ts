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
  const listeners = new Map<PushedEvent, Set<() => void>>()
  let source: EventSource | null = null
  let hasMissed = false
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
      if (hasMissed) for (const set of listeners.values()) for (const listener of set) listener()
      hasMissed = true
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

  const isWanted = () => [...listeners.values()].some(({ size }) => size > 0)
  const openIfShown = () => {
    if (document.hidden) {
      close()
      hasMissed = true
    } else if (!source && isWanted()) open()
  }

  return {
    on(event, listener) {
      const known = listeners.get(event)
      if (known) known.add(listener)
      else {
        listeners.set(event, new Set([listener]))
        if (source) listen(event)
      }
      if (!source && typeof EventSource !== 'undefined') {
        document.addEventListener('visibilitychange', openIfShown)
        openIfShown()
      }
      return () => {
        listeners.get(event)?.delete(listener)
        if (isWanted()) return
        document.removeEventListener('visibilitychange', openIfShown)
        close()
      }
    },
  }
}
