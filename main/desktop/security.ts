import { app, type Session, shell } from 'electron'
import type { Log } from '../base/log/log.ts'
import { isConsoleUrl } from './console-protocol.ts'

/**
 * Refuses whatever a page could ask for beyond the console itself: other pages, other windows, embedded
 * views and permissions. What is left is writing to the clipboard, and links opened in the browser.
 *
 * https://www.electronjs.org/docs/latest/tutorial/security
 */
export function refuseByDefault(session: Session, log: Log): void {
  session.setPermissionRequestHandler((contents, permission, decide) =>
    decide(isAllowed(permission, contents.getURL())),
  )
  session.setPermissionCheckHandler((_contents, permission, origin) =>
    isAllowed(permission, origin),
  )

  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => {
      if (!isConsoleUrl(event.url)) event.preventDefault()
    })
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      if (isOutsideLink(url)) {
        shell.openExternal(url).catch((error: unknown) => {
          log.warn({ err: error }, 'the system opened no browser for a link')
        })
      }
      return { action: 'deny' }
    })
  })
}

const isAllowed = (permission: string, url: string): boolean =>
  permission === 'clipboard-sanitized-write' && isConsoleUrl(url)

/** Only https leaves the app: other schemes start programs, and a name in the URL hides its host. */
function isOutsideLink(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return url.protocol === 'https:' && url.username === '' && url.password === ''
}
