import { type BrowserWindow, type IpcMainEvent, type IpcMainInvokeEvent, ipcMain } from 'electron'
import type { StreamEvent } from '../../preload/contract.ts'
import type { Log } from '../base/log.ts'
import type { ConsoleCalls } from './console-calls.ts'
import { isConsoleUrl } from './console-protocol.ts'

/**
 * Serves the three messages of the console's preload, and passes on what the gateway pushes. Each is
 * answered only when it comes from this window's own page, and that page is the console's; what is in it
 * is checked by the operation's schema.
 */
export function serveConsoleCalls(window: BrowserWindow, calls: ConsoleCalls, log: Log): void {
  const { webContents } = window
  const send = (channel: string, ...parameters: unknown[]) => {
    if (!webContents.isDestroyed()) webContents.send(channel, ...parameters)
  }
  const isOurs = ({ sender, senderFrame }: IpcMainEvent | IpcMainInvokeEvent): boolean => {
    const isConsole =
      sender === webContents && senderFrame?.parent === null && isConsoleUrl(senderFrame.url)
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

  // A page that is left or reloaded hears no more of what it began.
  webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) calls.cancelAll()
  })
  webContents.on('render-process-gone', () => calls.cancelAll())
  webContents.on('destroyed', () => calls.cancelAll())

  for (const event of ['calls', 'server'] as const) {
    calls.onPushed(event, () => send('pushed', event))
  }
}
