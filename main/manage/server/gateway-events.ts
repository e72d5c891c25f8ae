/** Events for open consoles: new calls, or changed facts of the server. */
export type GatewayEvent = 'calls' | 'server'

export interface GatewayEvents {
  /** Returns what ends it. */
  on(event: GatewayEvent, listener: () => void): () => void
  /** Tells the listeners, for each event at once and then at most four times a second. */
  emit(event: GatewayEvent): void
}

const SHORTEST_PAUSE = 250

/** Events that carry nothing: a page that hears one reads its data again. */
export function createGatewayEvents(): GatewayEvents {
  const listeners = { calls: new Set<() => void>(), server: new Set<() => void>() }
  const pauses = new Map<GatewayEvent, { isDue: boolean }>()

  const tell = (event: GatewayEvent): void => {
    const pause = { isDue: false }
    pauses.set(event, pause)
    setTimeout(() => {
      pauses.delete(event)
      if (pause.isDue) tell(event)
    }, SHORTEST_PAUSE).unref()
    for (const listener of listeners[event]) listener()
  }

  return {
    on(event, listener) {
      listeners[event].add(listener)
      return () => void listeners[event].delete(listener)
    },

    emit(event) {
      const pause = pauses.get(event)
      if (pause) pause.isDue = true
      else tell(event)
    },
  }
}
