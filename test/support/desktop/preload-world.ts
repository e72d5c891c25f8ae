import { randomBytes } from 'node:crypto'
import type { CDPSession, Page } from 'playwright'
import { toAppUrl } from '../electron/browser.ts'
import { pageScript, preloadScript, preloadWorld, wireName } from './preload-script.ts'
import { createWire } from './wire.ts'

const wire = createWire()

export interface FrameSeen {
  url: string
  parent: { url: string } | null
}

/** A preload's message; it has an id if the preload waits for an answer. */
export interface PreloadMessage {
  id?: number
  channel: string
  parameters: unknown[]
  /** The sender, looked up when asked for: null once its document is gone. */
  frame(): FrameSeen | null
  answer(value: { value?: unknown; failure?: string }): void
}

export interface WorldListener {
  message(message: PreloadMessage): void
  /** A document took the place of another in the main frame. */
  committed(url: string): void
  committedError(url: string): void
  navigatedInPage(url: string): void
}

/** The preload's world in all documents that `page` will show, and the events of its frames. */
export class PreloadWorld {
  readonly #devtools: CDPSession
  readonly #listener: WorldListener
  readonly #frames = new Map<string, { url: string; parentId: string | undefined }>()
  /** The frame of each context that runs the preload now. */
  readonly #contexts = new Map<number, string>()
  #mainFrame = ''

  private constructor(devtools: CDPSession, listener: WorldListener) {
    this.#devtools = devtools
    this.#listener = listener
  }

  static async open(
    page: Page,
    preload: string | undefined,
    inSubFrames: boolean,
    listener: WorldListener,
  ): Promise<PreloadWorld> {
    const devtools = await page.context().newCDPSession(page)
    const world = new PreloadWorld(devtools, listener)
    await world.#follow()
    if (preload === undefined) return world
    const secret = `stand-in-${randomBytes(16).toString('hex')}`
    await devtools.send('Runtime.addBinding', {
      name: wireName,
      executionContextName: preloadWorld,
    })
    await devtools.send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript(secret) })
    await devtools.send('Page.addScriptToEvaluateOnNewDocument', {
      source: preloadScript(secret, preload, inSubFrames),
      worldName: preloadWorld,
    })
    return world
  }

  async #follow(): Promise<void> {
    const devtools = this.#devtools
    devtools.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = context.auxData as { frameId: string }
      if (context.name === preloadWorld) this.#contexts.set(context.id, frameId)
    })
    devtools.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      this.#contexts.delete(executionContextId)
    })
    devtools.on('Runtime.executionContextsCleared', () => this.#contexts.clear())
    devtools.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name === wireName) this.#hear(payload, executionContextId)
    })
    devtools.on('Page.frameNavigated', ({ frame }) => {
      this.#frames.set(frame.id, { url: toAppUrl(frame.url), parentId: frame.parentId })
      if (frame.parentId !== undefined) return
      this.#mainFrame = frame.id
      if (frame.unreachableUrl) this.#listener.committedError(toAppUrl(frame.unreachableUrl))
      else this.#listener.committed(toAppUrl(frame.url))
    })
    devtools.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      const frame = this.#frames.get(frameId)
      if (frame) frame.url = toAppUrl(url)
      if (frameId === this.#mainFrame) this.#listener.navigatedInPage(toAppUrl(url))
    })
    await devtools.send('Page.enable')
    await devtools.send('Runtime.enable')
  }

  #hear(payload: string, context: number): void {
    const { id, channel, parameters } = wire.unpack(payload) as PreloadMessage
    this.#listener.message({
      ...(id === undefined ? {} : { id }),
      channel,
      parameters,
      frame: () => this.#frameOf(context),
      answer: (value) => void this.#run(context, `standInReply(${id}, ${quoted(value)})`),
    })
  }

  #frameOf(context: number): FrameSeen | null {
    const frame = this.#frames.get(this.#contexts.get(context) ?? '')
    if (!frame) return null
    const parent = frame.parentId === undefined ? null : this.#frames.get(frame.parentId)
    return { url: frame.url, parent: parent ? { url: parent.url } : null }
  }

  /** To the preload of the page itself; what is on its way when the page goes is lost. */
  async deliver(messages: [string, unknown[]][]): Promise<void> {
    for (const [context, frame] of this.#contexts) {
      if (frame === this.#mainFrame) await this.#run(context, `standInDeliver(${quoted(messages)})`)
    }
  }

  async #run(contextId: number, expression: string): Promise<void> {
    await this.#devtools.send('Runtime.evaluate', { contextId, expression }).catch(() => {})
  }
}

const quoted = (value: unknown): string => JSON.stringify(wire.pack(value))
