import { EventEmitter } from 'node:events'
import type { IpcMain } from 'electron'
import type { PreloadMessage } from '../desktop/preload-world.ts'

type Handler = Parameters<IpcMain['handle']>[1]

/** A page's message: the part of Electron's event that the app looks at. */
interface StandInIpcEvent {
  sender: unknown
  /** Null where the frame is gone by the time it is asked for. */
  readonly senderFrame: { url: string; parent: { url: string } | null } | null
  type: 'frame'
}

/** Refuses what the structured clone refuses, with Electron's words. */
export function assertCloneable(values: unknown): void {
  try {
    structuredClone(values)
  } catch (cause) {
    throw new Error('An object could not be cloned.', { cause })
  }
  assertCarried(values)
}

/** Electron would carry these; the stand-in's wire does not, so it must not drop them in silence. */
function assertCarried(value: unknown): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  if (value instanceof Map || value instanceof Set || value instanceof ArrayBuffer) {
    throw new Error(`The stand-in cannot carry a ${value.constructor.name}`)
  }
  for (const part of Object.values(value)) assertCarried(part)
}

class StandInIpcMain extends EventEmitter implements Pick<IpcMain, 'handle' | 'removeHandler'> {
  #handlers = new Map<string, Handler>()

  handle(channel: string, handler: Handler): void {
    if (this.#handlers.has(channel)) {
      throw new Error(`Attempted to register a second handler for '${channel}'`)
    }
    this.#handlers.set(channel, handler)
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel)
  }

  /** A message of a preload in the page of `sender`. */
  hear(sender: unknown, { id, channel, parameters, frame, answer }: PreloadMessage): void {
    const event: StandInIpcEvent = {
      sender,
      get senderFrame() {
        return frame()
      },
      type: 'frame',
    }
    if (id === undefined) this.emit(channel, event, ...parameters)
    else {
      this.#answer(event, channel, parameters).then(
        (value) => answer({ value }),
        (error) => answer({ failure: String(error) }),
      )
    }
  }

  async #answer(event: StandInIpcEvent, channel: string, parameters: unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel)
    if (!handler) throw new Error(`No handler registered for '${channel}'`)
    const value: unknown = await Reflect.apply(handler, undefined, [event, ...parameters])
    assertCloneable(value)
    return value
  }
}

export const ipcMain = new StandInIpcMain()
