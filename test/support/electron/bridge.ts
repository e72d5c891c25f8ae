/**
 * Runs on either side of the border between the page and its preload, which are two worlds of one document: no
 * object of one can be had in the other. Values that cross are copied, here by the browser itself: in the detail of an
 * event, which Chromium clones between worlds. A function crosses as a number, and is called by an event. It is sent
 * to pages as text, so it uses nothing from outside of itself. `secret` names the events; pages cannot guess it.
 *
 * https://www.electronjs.org/docs/latest/api/context-bridge
 */
export function createBridge(secret: string, side: 'page' | 'preload') {
  type Message =
    | { to: string; type: 'call'; fn: number; reply: number; parameters: unknown[] }
    | { to: string; type: 'reply'; reply: number; value?: unknown; failure?: string }
    | { to: string; type: 'settle'; promise: number; value?: unknown; failure?: string }
    | { to: string; type: 'expose'; key: string; value: unknown }
  const other = side === 'page' ? 'preload' : 'page'
  // No maps: a page may replace their methods.
  // A page may replace these later, which must not let it look into the border.
  const { CustomEvent, document } = window
  const dispatch = document.dispatchEvent.bind(document)
  const functions: Record<number, (...parameters: unknown[]) => unknown> = Object.create(null)
  const promises: Record<number, [(value: unknown) => void, (error: Error) => void]> =
    Object.create(null)
  const replies: Record<number, Message> = Object.create(null)
  let last = 0

  const tell = (message: Message): void => {
    dispatch(new CustomEvent(secret, { detail: message }))
  }

  const leave = (value: unknown): unknown => {
    if (typeof value === 'symbol') throw new Error('An object could not be cloned.')
    if (typeof value === 'function') {
      const fn = ++last
      functions[fn] = value as () => unknown
      return { $: 'function', fn }
    }
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Promise) {
      const promise = ++last
      value.then(
        (result) => tell({ to: other, type: 'settle', promise, value: leave(result) }),
        (error) => tell({ to: other, type: 'settle', promise, failure: String(error?.message) }),
      )
      return { $: 'promise', promise }
    }
    if (Array.isArray(value)) return { $: 'array', value: value.map(leave) }
    if (ArrayBuffer.isView(value) || value instanceof Date || value instanceof Error) {
      return { $: 'clone', value }
    }
    const entries = Object.entries(value).map(([key, part]) => [key, leave(part)])
    return { $: 'object', value: Object.fromEntries(entries) }
  }

  const arrive = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const { $, value: inner, fn, promise } = value as Record<string, unknown>
    if ($ === 'function') return (...parameters: unknown[]) => callOver(fn as number, parameters)
    if ($ === 'promise') {
      return new Promise((resolve, reject) => {
        promises[promise as number] = [resolve, reject]
      })
    }
    if ($ === 'array') return Object.freeze((inner as unknown[]).map(arrive))
    if ($ === 'clone') return inner
    const entries = Object.entries(inner as object).map(([key, part]) => [key, arrive(part)])
    return Object.freeze(Object.fromEntries(entries))
  }

  const callOver = (fn: number, parameters: unknown[]): unknown => {
    const reply = ++last
    // Events are dispatched at once: the reply is there when this returns.
    tell({ to: other, type: 'call', fn, reply, parameters: parameters.map(leave) })
    const answer = replies[reply]
    delete replies[reply]
    if (answer?.type !== 'reply') throw new Error('An object could not be cloned.')
    if (answer.failure !== undefined) throw new Error(answer.failure)
    return arrive(answer.value)
  }

  const answerCall = ({ fn, reply, parameters }: Message & { type: 'call' }): void => {
    try {
      const value = leave(functions[fn]?.(...parameters.map(arrive)))
      tell({ to: other, type: 'reply', reply, value })
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      tell({ to: other, type: 'reply', reply, failure })
    }
  }

  document.addEventListener(secret, (event) => {
    const message = (event as CustomEvent<Message | null>).detail
    if (message?.to !== side) return
    event.stopImmediatePropagation()
    if (message.type === 'call') answerCall(message)
    else if (message.type === 'reply') replies[message.reply] = message
    else if (message.type === 'settle') {
      const [resolve, reject] = promises[message.promise] ?? []
      delete promises[message.promise]
      if (message.failure === undefined) resolve?.(arrive(message.value))
      else reject?.(new Error(message.failure))
    } else {
      const { key, value } = message
      Object.defineProperty(window, key, { value: arrive(value), enumerable: true })
    }
  })

  return {
    expose(key: string, value: unknown): void {
      tell({ to: other, type: 'expose', key, value: leave(value) })
    },
  }
}
