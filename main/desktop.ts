import { join } from 'node:path'
import { app, clipboard, dialog, safeStorage, session } from 'electron'
import { catchLastFaults } from './base/log/last-faults.ts'
import { createLog } from './base/log/log.ts'
import { redact } from './base/log/redact.ts'
import { createConsoleCalls } from './desktop/console-calls.ts'
import { registerConsoleScheme, serveConsole } from './desktop/console-protocol.ts'
import { ConsoleWindow } from './desktop/console-window.ts'
import { desktopTexts } from './desktop/desktop-texts.ts'
import { endCallsWithPage, serveConsoleCalls } from './desktop/ipc.ts'
import { keychainWrap } from './desktop/keychain/keychain-wrap.ts'
import { claimLinks } from './desktop/link/claim-links.ts'
import { ImportLinks, linkAmong } from './desktop/link/import-links.ts'
import { setMenu } from './desktop/menu.ts'
import { movedNotice, takenPortOf } from './desktop/notifications/moved-port.ts'
import { Notifier } from './desktop/notifications/notifier.ts'
import { notifyIncidents } from './desktop/notifications/notify-incidents.ts'
import { Quit } from './desktop/quit.ts'
import { reportToStarter } from './desktop/report-to-starter.ts'
import { refuseByDefault } from './desktop/security.ts'
import { desktopCapabilities } from './desktop/system/desktop-capabilities.ts'
import { readDesktopOptions } from './desktop/system/desktop-options.ts'
import {
  isHiddenStart,
  linkOfStart,
  type SecondStart,
  startsHidden,
} from './desktop/system/hidden-start.ts'
import { keepAwake } from './desktop/system/keep-awake.ts'
import { followSessionEnd } from './desktop/system/session-end.ts'
import { followSleep } from './desktop/system/sleep.ts'
import { systemProxy } from './desktop/system/system-proxy.ts'
import { AppTray } from './desktop/tray/app-tray.ts'
import { trayImage } from './desktop/tray/tray-image.ts'
import { type RunningGateway, startGateway } from './gateway.ts'
import { thisMachine } from './manage/connect/this-machine.ts'
import { undoOffline } from './manage/connect/undo-offline.ts'
import { type Options, USAGE } from './options.ts'
import { prepareFolder } from './store/folder/folder.ts'
import { keepOwnSignals } from './store/folder/keep-own-signals.ts'
import { createStateFile, STATE_NAME, stateFileOptions } from './store/state/state-file.ts'

/** The same as `appId` in electron-builder.yml. */
const APP_ID = 'app.switchyard.desktop'
/** Seconds that calls have where nobody says. */
const DRAIN_SECONDS = 3

const log = createLog()
const built = join(app.getAppPath(), 'dist')
let consoleWindow: ConsoleWindow | undefined
/** Kept here, or it vanishes. */
let tray: AppTray | undefined
let quit: Quit | undefined
/** A second start asked for the window before there was one. */
let isShownAtStart = false
const links = new ImportLinks()
/** The page of a link that came before there was a window. */
let pageAtStart: string | undefined

async function runGateway(options: Options): Promise<RunningGateway> {
  const { default: ElectronStore } = await keepOwnSignals(() => import('electron-store'))
  return startGateway({
    ...options,
    rendererFolder: join(built, 'renderer'),
    openStateFile: (folder) =>
      createStateFile(
        folder,
        () => new ElectronStore({ ...stateFileOptions(folder), name: STATE_NAME }),
      ),
    desktop: desktopCapabilities(options, (id) => links.read(id)),
    keyWrap: keychainWrap({ safeStorage, platform: process.platform }),
    systemProxy: systemProxy(session.defaultSession),
    ...(process.versions.electron && { electronVersion: process.versions.electron }),
    env: process.env,
    log,
  })
}

async function start(options: Options): Promise<void> {
  await app.whenReady()
  claimLinks(app)
  const texts = desktopTexts(app.getLocale())
  const quitting = new Quit({
    startGateway: () => runGateway(options),
    drainSeconds: options.drainSeconds ?? DRAIN_SECONDS,
    askIn: () => {
      consoleWindow?.show()
      return consoleWindow?.current
    },
    hasEdits: () => consoleWindow?.hasEdits() ?? null,
    onWaiting: () => consoleWindow?.hide(),
    onEnd: () => tray?.destroy(),
    texts,
    log,
  })
  quit = quitting
  const gateway = await quitting.gateway
  if (quitting.isQuitting) return
  catchLastFaults(log, (error) => {
    const closing = gateway.close()
    gateway.hurry()
    // Until it is read nothing else is done.
    return closing.finally(() => dialog.showErrorBox(texts.stoppedByError, redact(error.message)))
  })
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    log.warn({ type, reason, exitCode, name }, 'a Chromium process ended')
  })
  followSleep((slept) => {
    gateway.parts.vitals.forgetSleep()
    gateway.wakeUp(slept)
  }, log)
  followSessionEnd({
    platform: process.platform,
    onQuery: () => gateway.keepBooks(),
    onEnd: () => quitting.endSession(),
  })

  refuseByDefault(session.defaultSession, log)
  serveConsole(join(built, 'renderer'))
  const calls = createConsoleCalls(gateway.parts)
  const opened = new ConsoleWindow({
    preload: join(built, 'preload', 'preload.cjs'),
    boundsFile: join(gateway.parts.dataFolder, 'window.json'),
    isQuitting: () => quitting.isQuitting,
    isBusy: () => calls.isBusy,
    onMade: ({ webContents }) => {
      endCallsWithPage(webContents, calls)
      webContents.once('did-finish-load', () => reportToStarter('running'))
    },
    texts,
    log,
  })
  consoleWindow = opened
  serveConsoleCalls(() => opened.current, calls, log)

  const copyBaseUrl = () => void clipboard.writeText(gateway.url)
  setMenu(texts, { isDevelopment: !app.isPackaged, copyBaseUrl })
  const open = (path?: string) => opened.show(path)
  const notifier = new Notifier({ open, log })
  const takenPort = takenPortOf(options, gateway)
  tray = new AppTray({
    ...{ parts: gateway.parts, calls, image: trayImage(), takenPort, texts, log },
    ...{ locale: app.getLocale(), open, copyBaseUrl, quit: () => app.quit() },
  })
  notifyIncidents(gateway.parts, notifier, texts)
  keepAwake(gateway.parts)
  if (takenPort !== null) notifier.show(movedNotice(takenPort, gateway.url, texts))
  const isHidden = startsHidden(app, options, gateway.parts.settings.current)
  if (isShownAtStart || !isHidden) opened.show(pageAtStart)
  else reportToStarter('running')
}

/** Shows what a link would add; only a click in its page adds it. */
function openLink(text: string): void {
  const page = links.keep(text)
  isShownAtStart = true
  pageAtStart = page
  consoleWindow?.show(page)
}

async function refuseToStart(error: unknown): Promise<void> {
  reportToStarter('refused')
  log.error({ err: error }, 'the desktop did not start')
  // A person who quits meanwhile needs no message, and the exit is under way.
  if (quit?.isQuitting) return
  // Before it is ready Electron knows no language, and Linux no box.
  await app.whenReady()
  const message = error instanceof Error ? error.message : String(error)
  dialog.showErrorBox(desktopTexts(app.getLocale()).cannotStart, message)
  app.exit(1)
}

/** For a terminal, or before the app is removed: no window, no box. */
async function disconnectAll({ dataFolder }: Options): Promise<void> {
  try {
    process.stdout.write(`${await undoOffline(dataFolder, thisMachine(process.env))}\n`)
    app.exit(0)
  } catch (error) {
    process.stderr.write(`${redact((error as Error).message)}\n`)
    app.exit(1)
  }
}

function main(): void {
  registerConsoleScheme()
  // Windows shows notifications only of an app that its Start menu knows by this id (electron-builder.yml).
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID)
  const options = readDesktopOptions(process.argv, process.env)
  if (options?.disconnectsAll) {
    void disconnectAll(options)
    return
  }
  if (options) {
    prepareFolder(options.dataFolder)
    // The instance lock, and what Chromium keeps, are of the data folder too.
    app.setPath('userData', options.dataFolder)
  } else {
    process.stdout.write(`${USAGE}\n`)
  }
  const link = linkAmong(process.argv)
  const secondStart: SecondStart = { isHidden: options?.isHidden === true, link }
  if (!options || !app.requestSingleInstanceLock(secondStart)) {
    app.exit(0)
    return
  }

  const show = () => consoleWindow?.show()
  if (link !== null) openLink(link)
  // How macOS hands over a link, also at the start.
  app.on('open-url', (event, url) => {
    event.preventDefault()
    openLink(url)
  })
  app.on('second-instance', (_event, _argv, _folder, data) => {
    const link = linkOfStart(data)
    if (link !== null) {
      openLink(link)
      return
    }
    if (isHiddenStart(data)) return
    isShownAtStart = true
    show()
  })
  app.on('activate', show)
  // Without a listener Electron quits with the last window; here the gateway goes on behind the tray.
  app.on('window-all-closed', () => {})
  // No await up here: Electron is not ready before this module has run to its end.
  start(options).catch(refuseToStart)
}

try {
  main()
} catch (error) {
  void refuseToStart(error)
}
