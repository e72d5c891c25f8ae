import { type BrowserWindow, dialog } from 'electron'
import type { Log } from '../base/log/log.ts'
import type { DesktopTexts } from './desktop-texts.ts'

/** A page that crashes again and again is loaded anew at most this often in a minute. */
const MOST_RELOADS = 3
const MINUTE = 60_000

interface RecoveryOptions {
  /** Says whether somebody looks at the window, or waits for it. */
  isWanted(): boolean
  /** Loads the page where it was; the crash may have come before it was anywhere. */
  loadAnew(): void
  texts: DesktopTexts
  log: Log
}

/** A page that crashed is loaded anew while somebody looks at it; of one that hangs its user decides. */
export function recoverPage(
  window: BrowserWindow,
  { isWanted, loadAnew, texts, log }: RecoveryOptions,
): void {
  const { webContents } = window
  let reloads: number[] = []
  let closeQuestion: AbortController | undefined

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log.error({ reason, exitCode }, 'the page of the console is gone')
    closeQuestion?.abort()
    if (!isWanted()) return
    const now = performance.now()
    reloads = [...reloads.filter((at) => now - at < MINUTE), now]
    if (reloads.length > MOST_RELOADS) return
    // Not within the event, in which the contents are still those that crashed.
    setImmediate(() => {
      if (!window.isDestroyed()) loadAnew()
    })
  })

  window.on('unresponsive', async () => {
    log.warn('the page of the console does not respond')
    if (!isWanted() || closeQuestion) return
    closeQuestion = new AbortController()
    try {
      const { response } = await dialog.showMessageBox(window, {
        type: 'warning',
        message: texts.notResponding,
        buttons: [texts.reload, texts.wait],
        defaultId: 1,
        cancelId: 1,
        noLink: true,
        signal: closeQuestion.signal,
      })
      // Its process takes no more orders; without it the page is loaded anew, above.
      if (response === 0 && !window.isDestroyed()) webContents.forcefullyCrashRenderer()
    } catch (error) {
      log.error({ err: error }, 'the page recovery dialog could not be shown')
    } finally {
      closeQuestion = undefined
    }
  })
  window.on('responsive', () => closeQuestion?.abort())
  window.on('closed', () => closeQuestion?.abort())
}
