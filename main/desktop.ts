import { join } from 'node:path'
import { app, clipboard, dialog, session, type Tray } from 'electron'
import { catchLastFaults } from './base/last-faults.ts'
import { createLog } from './base/log.ts'
import { redact } from './base/redact.ts'
import { createConsoleCalls } from './desktop/console-calls.ts'
import { registerConsoleScheme, serveConsole } from './desktop/console-protocol.ts'
import { ConsoleWindow } from './desktop/console-window.ts'
import { endCallsWithPage, serveConsoleCalls } from './desktop/ipc.ts'
import { setMenu } from './desktop/menu.ts'
import { keychainWrap } from './desktop/secret-key.ts'
import { refuseByDefault } from './desktop/security.ts'
import { createTray } from './desktop/tray.ts'
import { wordsOf } from './desktop/words.ts'
import { type RunningGateway, startGateway } from './gateway.ts'
import { type Options, readOptions } from './options.ts'
import { keepOwnSignals } from './store/keep-own-signals.ts'
import { createStateFile, STATE_NAME, stateFileOptions } from './store/state-file.ts'

/** Stopping takes at most this many milliseconds beyond the time that calls have to end, whatever hangs. */
const STOP_LIMIT = 1_800
/** Seconds that calls have where nobody says. */
const DRAIN_SECONDS = 3

const log = createLog()
const built = join(app.getAppPath(), 'dist')
let consoleWindow: ConsoleWindow | undefined
let isQuitting = false

/** The flags that are ours: Electron and Chromium have theirs among them. */
const ownFlags = (): string[] =>
  process.argv.flatMap((flag, index, all) => {
    if (/^--(host|port|data-dir|drain)=/.test(flag)) return [flag]
    return /^--(host|port|data-dir|drain)$/.test(flag) ? [flag, all[index + 1] ?? ''] : []
  })

async function runGateway(options: Options): Promise<RunningGateway> {
  const { default: ElectronStore } = await keepOwnSignals(() => import('electron-store'))
  const keyWrap = keychainWrap(log)
  return startGateway({
    ...options,
    rendererFolder: join(built, 'renderer'),
    openStateFile: (folder) =>
      createStateFile(
        folder,
        () => new ElectronStore({ ...stateFileOptions(folder), name: STATE_NAME }),
      ),
    ...(keyWrap && { keyWrap }),
    ...(process.versions.electron && { electronVersion: process.versions.electron }),
    env: process.env,
    log,
  })
}

/** Calls under way are finished, or ended honestly, before the process goes. */
function drainOnQuit(gateway: RunningGateway, tray: Tray, drainSeconds: number): void {
  app.on('will-quit', (event) => {
    event.preventDefault()
    tray.destroy()
    setTimeout(() => app.exit(0), drainSeconds * 1000 + STOP_LIMIT)
    gateway.close().then(
      () => app.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the gateway did not stop cleanly')
        app.exit(1)
      },
    )
  })
}

async function start(options: Options): Promise<void> {
  await app.whenReady()
  const words = wordsOf(app.getLocale())
  const gateway = await runGateway(options)
  catchLastFaults(log, (error) => {
    const closing = gateway.close()
    gateway.hurry()
    // Until it is read nothing else is done.
    return closing.finally(() => dialog.showErrorBox(words.hasFailed, redact(error.message)))
  })

  refuseByDefault(session.defaultSession)
  serveConsole(join(built, 'renderer'))
  const calls = createConsoleCalls(gateway.parts)
  const opened = new ConsoleWindow({
    preload: join(built, 'preload', 'preload.cjs'),
    isQuitting: () => isQuitting,
    onMade: ({ webContents }) => endCallsWithPage(webContents, calls),
    log,
  })
  consoleWindow = opened
  serveConsoleCalls(() => opened.current, calls, log)

  const copyBaseUrl = () => void clipboard.writeText(gateway.url)
  setMenu(words, { isDevelopment: !app.isPackaged, copyBaseUrl })
  const tray = createTray(gateway.url, words, {
    open: () => opened.show(),
    copyBaseUrl,
    quit: () => app.quit(),
  })
  drainOnQuit(gateway, tray, options.drainSeconds ?? DRAIN_SECONDS)
  opened.show()
}

function refuseToStart(error: unknown): void {
  log.error({ err: error }, 'the desktop did not start')
  const message = error instanceof Error ? error.message : String(error)
  dialog.showErrorBox(wordsOf(app.getLocale()).cannotStart, message)
  app.exit(1)
}

function main(): void {
  registerConsoleScheme()
  const options = readOptions(ownFlags(), process.env)
  // The instance lock, and what Chromium keeps, are of the data folder too.
  if (options) app.setPath('userData', options.dataFolder)
  if (!options || !app.requestSingleInstanceLock()) {
    app.exit(0)
    return
  }

  const show = () => consoleWindow?.show()
  app.on('second-instance', show)
  app.on('activate', show)
  app.on('before-quit', () => {
    isQuitting = true
  })
  // Without a listener Electron quits with the last window; here the gateway goes on behind the tray.
  app.on('window-all-closed', () => {})
  // No await up here: Electron is not ready before this module has run to its end.
  start(options).catch(refuseToStart)
}

try {
  main()
} catch (error) {
  refuseToStart(error)
}
