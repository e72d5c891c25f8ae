import type { ContextBridge, IpcRenderer } from 'electron'

type Listener = (event: object, ...parameters: unknown[]) => void

interface Wire {
  invoke(channel: string, parameters: unknown[]): Promise<{ value?: unknown; failure?: string }>
  send(channel: string, parameters: unknown[]): Promise<void>
}

/**
 * Runs in the page, before any script of it: gives the preload its `electron`, and takes what the main
 * process sends. It is sent there as text, so it uses nothing from outside of itself.
 *
 * Electron keeps preload and page in two worlds and copies what crosses. There is one world here, but the
 * same is copied: functions become proxies, objects lose their prototype and are frozen, and what cannot
 * be cloned is refused.
 */
function installRenderer(
  platform: string,
  runPreload: (require: (name: string) => object, process: object) => void,
): void {
  const page = window as unknown as Record<string, unknown>
  const wire = {
    invoke: page.standInInvoke as Wire['invoke'],
    send: page.standInSend as Wire['send'],
  }
  delete page.standInInvoke
  delete page.standInSend
  // Electron runs no preload in a frame inside the page.
  if (window !== window.top) return

  const listeners = new Map<string, Set<Listener>>()
  Object.defineProperty(window, Symbol.for('stand-in.deliver'), {
    value(messages: [string, unknown[]][]) {
      for (const [channel, parameters] of messages) {
        for (const listener of [...(listeners.get(channel) ?? [])]) listener({}, ...parameters)
      }
    },
  })

  const checked = (parameters: unknown[]): unknown[] => {
    try {
      return structuredClone(parameters)
    } catch {
      throw new Error('An object could not be cloned.')
    }
  }

  const cross = (value: unknown): unknown => {
    if (typeof value === 'function') {
      return (...parameters: unknown[]) =>
        cross(Reflect.apply(value, undefined, parameters.map(cross)))
    }
    if (value instanceof Promise) return value.then(cross, (error) => Promise.reject(error))
    if (typeof value === 'symbol') throw new Error('An object could not be cloned.')
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return Object.freeze(value.map(cross))
    if (ArrayBuffer.isView(value) || value instanceof Date || value instanceof Error) {
      return structuredClone(value)
    }
    const entries = Object.entries(value).map(([key, part]) => [key, cross(part)])
    return Object.freeze(Object.fromEntries(entries))
  }

  const ipcRenderer = {
    on(channel: string, listener: Listener): void {
      const known = listeners.get(channel) ?? new Set()
      listeners.set(channel, known.add(listener))
    },
    off(channel: string, listener: Listener): void {
      listeners.get(channel)?.delete(listener)
    },
    async invoke(channel: string, ...parameters: unknown[]) {
      const { value, failure } = await wire.invoke(channel, checked(parameters))
      if (failure === undefined) return value
      throw new Error(`Error invoking remote method '${channel}': ${failure}`)
    },
    send(channel: string, ...parameters: unknown[]) {
      void wire.send(channel, checked(parameters))
    },
  } satisfies Pick<IpcRenderer, 'invoke' | 'send'> & Record<'on' | 'off', unknown>

  const contextBridge: Pick<ContextBridge, 'exposeInMainWorld'> = {
    exposeInMainWorld(key: string, api: unknown) {
      if (key in window)
        throw new Error(`Cannot bind an API on top of an existing property '${key}'`)
      Object.defineProperty(window, key, { value: cross(api), enumerable: true })
    },
  }

  const require = (name: string) => {
    if (name === 'electron') return { contextBridge, ipcRenderer }
    throw new Error(`module not found: ${name}`)
  }
  runPreload(require, { platform, type: 'renderer', sandboxed: true, contextIsolated: true })
}

/** The script that runs `preload`, a CommonJS text, in a page. `__name` is what esbuild leaves in it. */
export const rendererScript = (preload: string): string => `(() => {
  const __name = (value) => value;
  (${installRenderer.toString()})(${JSON.stringify(process.platform)}, (require, process) => {
    const module = { exports: {} }, exports = module.exports;
${preload}
  })
})()`
