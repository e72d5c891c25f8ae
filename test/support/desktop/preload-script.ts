import type { ContextBridge, IpcRenderer } from 'electron'
import { createBridge } from '../electron/bridge.ts'
import { createWire } from './wire.ts'

/** The name of the preload's world, and of what it tells the main process by; the page's world has neither. */
export const preloadWorld = 'Electron Isolated Context'
export const wireName = 'standInWire'

type Listener = (event: object, ...parameters: unknown[]) => void

interface Installation {
  secret: string
  platform: string
  inSubFrames: boolean
  wireName: string
  wire: ReturnType<typeof createWire>
  createBridge: typeof createBridge
  runPreload(require: (name: string) => object, process: object): void
}

/** Runs in the preload's world, before any script of the page. It is sent there as text. */
function installPreload(installation: Installation): void {
  // Electron runs no preload in a frame inside the page, where nobody asks for it.
  if (window !== window.top && !installation.inSubFrames) return
  const { wire } = installation
  const page = window as unknown as Record<string, unknown>
  const tellMain = page[installation.wireName] as (text: string) => void
  const bridge = installation.createBridge(installation.secret, 'preload')
  const listeners = new Map<string, Set<Listener>>()
  const waiting = new Map<number, (answer: { value?: unknown; failure?: string }) => void>()
  let last = 0

  page.standInDeliver = (text: string) => {
    for (const [channel, parameters] of wire.unpack(text) as [string, unknown[]][]) {
      for (const listener of [...(listeners.get(channel) ?? [])]) listener({}, ...parameters)
    }
  }
  page.standInReply = (id: number, text: string) => {
    waiting.get(id)?.(wire.unpack(text) as { value?: unknown })
    waiting.delete(id)
  }

  const checked = (parameters: unknown[]): unknown[] => {
    try {
      return structuredClone(parameters)
    } catch {
      throw new Error('An object could not be cloned.')
    }
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
      const id = ++last
      const answered = new Promise<{ value?: unknown; failure?: string }>((resolve) => {
        waiting.set(id, resolve)
      })
      tellMain(wire.pack({ id, channel, parameters: checked(parameters) }))
      const { value, failure } = await answered
      if (failure === undefined) return value
      throw new Error(`Error invoking remote method '${channel}': ${failure}`)
    },
    send(channel: string, ...parameters: unknown[]) {
      tellMain(wire.pack({ channel, parameters: checked(parameters) }))
    },
  } satisfies Pick<IpcRenderer, 'invoke' | 'send'> & Record<'on' | 'off', unknown>

  const contextBridge: Pick<ContextBridge, 'exposeInMainWorld'> = {
    exposeInMainWorld: (key: string, api: unknown) => bridge.expose(key, api),
  }

  const require = (name: string) => {
    if (name === 'electron') return { contextBridge, ipcRenderer }
    throw new Error(`module not found: ${name}`)
  }
  const { platform } = installation
  installation.runPreload(require, {
    platform,
    type: 'renderer',
    sandboxed: true,
    contextIsolated: true,
  })
}

// `__name` is what esbuild leaves in functions that are sent as text.
const named = 'const __name = (value) => value;'

/** The script that takes what the preload gives, in the page's world. */
export const pageScript = (secret: string): string => `(() => {
  ${named}
  (${createBridge.toString()})(${JSON.stringify(secret)}, 'page')
})()`

/** The script that runs `preload`, a CommonJS text, in a world of its own. */
export const preloadScript = (secret: string, preload: string, inSubFrames: boolean): string =>
  `(() => {
  ${named}
  (${installPreload.toString()})({
    secret: ${JSON.stringify(secret)},
    platform: ${JSON.stringify(process.platform)},
    inSubFrames: ${inSubFrames},
    wireName: ${JSON.stringify(wireName)},
    wire: (${createWire.toString()})(),
    createBridge: ${createBridge.toString()},
    runPreload: (require, process) => {
      const module = { exports: {} }, exports = module.exports;
${preload}
    },
  })
})()`
