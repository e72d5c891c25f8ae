/** Events for open consoles: new calls, or changed records, settings or facts of the server. */
export type GatewayEvent = 'calls' | 'server'

/** Whom an event is about; null = everybody. */
type Concerned = ReadonlySet<number> | null

type Listener = (users: Concerned) => void

export interface GatewayEvents {
  /** Returns what ends it. */
  on(event: GatewayEvent, listener: Listener): () => void
  /**
   * Tells the listeners, for each event at once and then at most four times a second. `userIds`: whom it is about;
   * left out = everybody.
   */
  emit(event: GatewayEvent, userIds?: readonly number[]): void
}

const SHORTEST_PAUSE = 250

/** Events that carry nothing: a page that hears one reads its data again. */
export function createGatewayEvents(): GatewayEvents {
  const listeners = { calls: new Set<Listener>(), server: new Set<Listener>() }
  /** By the event, those that it is due for when the pause is over; undefined = nobody yet. */
  const pauses = new Map<GatewayEvent, { due: Concerned | undefined }>()

  const tell = (event: GatewayEvent, users: Concerned): void => {
    const pause: { due: Concerned | undefined } = { due: undefined }
    pauses.set(event, pause)
    setTimeout(() => {
      pauses.delete(event)
      if (pause.due !== undefined) tell(event, pause.due)
    }, SHORTEST_PAUSE).unref()
    for (const listener of listeners[event]) listener(users)
  }

  return {
    on(event, listener) {
      listeners[event].add(listener)
      return () => void listeners[event].delete(listener)
    },

    emit(event, userIds) {
      const users: Concerned = userIds ? new Set(userIds) : null
      const pause = pauses.get(event)
      if (!pause) tell(event, users)
      else if (pause.due === undefined) pause.due = users
      else pause.due = pause.due && users && new Set([...pause.due, ...users])
    },
  }
}
