import {
  type BrowserWindow,
  type IpcMainEvent,
  type IpcMainInvokeEvent,
  ipcMain,
  type WebContents,
} from 'electron'
import type { StreamEvent } from '../../preload/contract.ts'
import type { Log } from '../base/log/log.ts'
import type { ConsoleCalls } from './console-calls.ts'
import { isConsoleUrl } from './console-protocol.ts'

/** Electron's code for a navigation that was given up: the page that was there stays. */
const ABORTED = -3

/**
 * Serves the three messages of the console's preload, and passes on what the gateway pushes. Each is
 * answered only when it comes from the console window's own page (`current`), and that page is the console's;
 * what is in it is checked by the operation's schema.
 */
export function serveConsoleCalls(
  current: () => BrowserWindow | undefined,
  calls: ConsoleCalls,
  log: Log,
): void {
  const send = (channel: string, ...parameters: unknown[]) => {
    const contents = current()?.webContents
    if (contents && !contents.isDestroyed()) contents.send(channel, ...parameters)
  }
  const isOurs = ({ sender, senderFrame }: IpcMainEvent | IpcMainInvokeEvent): boolean => {
    // No frame: the page that asked is gone.
    const isConsole =
      sender === current()?.webContents &&
      senderFrame?.parent === null &&
      isConsoleUrl(senderFrame.url)
    if (!isConsole) log.warn({ url: senderFrame?.url }, 'refused a message from a foreign page')
    return isConsole
  }

  ipcMain.handle('operation.call', (event, name: unknown, input: unknown) => {
    if (!isOurs(event)) throw new Error('Only the console may call operations')
    return calls.call(name, input)
  })
  ipcMain.on('operation.stream', (event, id: unknown, name: unknown, input: unknown) => {
    if (!isOurs(event) || typeof id !== 'number') return
    calls.stream(id, name, input, (part: StreamEvent) => send('operation.event', id, part))
  })
  ipcMain.on('operation.cancel', (event, id: unknown) => {
    if (isOurs(event) && typeof id === 'number') calls.cancel(id)
  })

  for (const event of ['calls', 'server'] as const) {
    calls.onPushed(event, () => send('pushed', event))
  }
}

/**
 * Ends what a page of `contents` began once that page is really left: another document took its place, it
 * crashed, or its window is gone. A navigation that only starts may still be refused, and then the page goes on.
 */
export function endCallsWithPage(contents: WebContents, calls: ConsoleCalls): void {
  contents.on('did-navigate', () => calls.cancelAll())
  // A page that says what went wrong took the place of this one.
  contents.on('did-fail-provisional-load', (_event, code, _why, _url, isMainFrame) => {
    if (isMainFrame && code !== ABORTED) calls.cancelAll()
  })
  contents.on('render-process-gone', () => calls.cancelAll())
  contents.on('destroyed', () => calls.cancelAll())
}
