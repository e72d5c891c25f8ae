import { app, type BrowserWindow, dialog } from 'electron'
import type { Log } from '../base/log/log.ts'
import type { RunningGateway } from '../gateway.ts'
import type { DesktopTexts } from './desktop-texts.ts'

/** Stopping takes at most this many milliseconds beyond the time that calls have to end, whatever hangs. */
const STOP_LIMIT = 1_800
/** Who quits "when done" waits for the calls themselves, in seconds: a day is as long as any takes. */
const WHEN_DONE = 86_400
/**
 * Milliseconds after which a further signal is meant, and not the first one once more: one may come twice by
 * itself, to the whole process group and from the script above that hands it on.
 */
const MEANT_AFTER = { SIGINT: 100, SIGTERM: 1_000, SIGHUP: 1_000 } as const

export interface QuitOptions {
  startGateway(): Promise<RunningGateway>
  /** Seconds that calls have to end when nobody is asked. */
  drainSeconds: number
  /** Whether the page holds what was typed and not saved; null where there is no page. */
  hasEdits(): Promise<boolean> | null
  /** Brings up the window that the question belongs to: without one it would stop the whole process on macOS. */
  askIn(): BrowserWindow | undefined
  /** Runs when it is settled that the calls are waited for. */
  onWaiting(): void
  /** Runs when nothing can hold the end up any more. */
  onEnd(): void
  texts: DesktopTexts
  log: Log
}

/** The ways out: by a person, who is asked when calls are under way, by signals, and with the system. */
export class Quit {
  /** Rejects when it could not be started. */
  readonly gateway: Promise<RunningGateway>
  readonly #options: QuitOptions
  #gateway: RunningGateway | undefined
  /** Settled: windows close, and the process ends once the gateway has stopped. */
  #isLeaving = false
  /** Quits without asking. */
  #isUrgent = false
  #isHurried = false
  #isWaiting = false
  #isEnding = false
  #question: AbortController | undefined

  /** Takes the app's events over; only after it is ready, since Electron sets its own signal handlers just before. */
  constructor(options: QuitOptions) {
    this.#options = options
    // First of all: who starts the gateway takes back the signal handlers that come with what it loads.
    this.#followSignals()
    this.gateway = options.startGateway()
    this.gateway.then(
      (gateway) => {
        this.#gateway = gateway
        // However it comes to its end, rows that are still in memory are written.
        app.once('quit', () => gateway.parts.ledger.close())
      },
      () => {},
    )
    app.on('before-quit', (event) => {
      const edits = this.#isLeaving || this.#isUrgent ? null : this.#options.hasEdits()
      if (this.#mayLeave() && edits === null) this.#isLeaving = true
      else {
        event.preventDefault()
        void this.#askAbout(edits)
      }
    })
    app.on('will-quit', (event) => {
      event.preventDefault()
      void this.#end()
    })
  }

  get isQuitting(): boolean {
    return this.#isLeaving
  }

  /** The system ends the session, and all processes with it, after a moment: calls end now, and nobody is asked. */
  endSession(): void {
    this.#isUrgent = true
    this.#isHurried = true
    this.#gateway?.keepBooks()
    this.#question?.abort()
    app.quit()
  }

  #mayLeave(): boolean {
    return this.#isLeaving || this.#isUrgent || !this.#gateway?.parts.openCalls.size
  }

  #followSignals(): void {
    let since = 0
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        const now = performance.now()
        if (since === 0) {
          since = now
          this.#isUrgent = true
          this.#question?.abort()
          app.quit()
        } else if (now - since > MEANT_AFTER[signal]) this.#hurry()
      })
    }
  }

  #hurry(): void {
    this.#isHurried = true
    if (this.#isEnding) this.#gateway?.hurry()
  }

  async #askAbout(edits: Promise<boolean> | null): Promise<void> {
    const hasEdits = (await edits) === true
    if (this.#isLeaving || this.#isUrgent) return
    if (!hasEdits && this.#mayLeave()) {
      this.#isLeaving = true
      app.quit()
    } else await this.#ask(hasEdits)
  }

  async #ask(hasEdits: boolean): Promise<void> {
    const { askIn, texts, log } = this.#options
    if (this.#question) return
    const question = new AbortController()
    this.#question = question
    try {
      const parent = askIn()
      const calls = this.#gateway?.parts.openCalls.size ?? 0
      const options = {
        type: 'question' as const,
        ...(calls > 0 ? this.#aboutCalls(calls, hasEdits) : aboutEdits(texts)),
        defaultId: 0,
        noLink: true,
        signal: question.signal,
      }
      const { response } = await (parent
        ? dialog.showMessageBox(parent, options)
        : dialog.showMessageBox(options))
      if (question.signal.aborted) return
      if (response === 1) this.#leaveNow()
      else if (response === 0 && calls > 0 && !this.#isWaiting) this.#wait()
    } catch (error) {
      log.error({ err: error }, 'the quit dialog could not be shown')
      this.#leaveNow()
    } finally {
      this.#question = undefined
    }
  }

  #aboutCalls(calls: number, hasEdits: boolean) {
    const { texts } = this.#options
    const detail = this.#isWaiting ? texts.quitsWhenDone : texts.quitDetail
    return {
      message: texts.quitWithCalls(calls),
      detail: hasEdits ? `${detail} ${texts.editsLost}` : detail,
      buttons: this.#isWaiting
        ? [texts.keepWaiting, texts.quitNow]
        : [texts.quitWhenDone, texts.quitNow, texts.cancel],
      cancelId: this.#isWaiting ? 0 : 2,
    }
  }

  #leaveNow(): void {
    this.#isLeaving = true
    this.#isHurried = true
    app.quit()
  }

  /** From now on new calls are refused; the app goes once the last one has ended. */
  #wait(): void {
    const { onWaiting, log } = this.#options
    this.#isWaiting = true
    onWaiting()
    const leave = () => {
      this.#isLeaving = true
      this.#question?.abort()
      app.quit()
    }
    this.#gateway?.close(WHEN_DONE).then(leave, (error: unknown) => {
      log.error({ err: error }, 'the gateway did not stop cleanly')
      leave()
    })
  }

  async #end(): Promise<void> {
    if (this.#isEnding) return
    this.#isEnding = true
    const { drainSeconds, onEnd, log } = this.#options
    onEnd()
    setTimeout(() => app.exit(0), drainSeconds * 1000 + STOP_LIMIT)
    const gateway = await this.gateway.catch(() => undefined)
    const closing = gateway?.close()
    if (this.#isHurried) gateway?.hurry()
    // Its calls were promised more time than there is now.
    else if (this.#isWaiting) setTimeout(() => gateway?.hurry(), drainSeconds * 1000)
    try {
      await closing
      app.exit(gateway ? 0 : 1)
    } catch (error) {
      log.error({ err: error }, 'the gateway did not stop cleanly')
      app.exit(1)
    }
  }
}

const aboutEdits = (texts: DesktopTexts) => ({
  message: texts.quitWithEdits,
  detail: texts.editsLost,
  buttons: [texts.keepEditing, texts.quitNow],
  cancelId: 0,
})
