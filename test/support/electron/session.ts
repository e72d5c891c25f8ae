import { EventEmitter } from 'node:events'
import type { ProxyConfig, Session, WebContents } from 'electron'
import { app } from './app.ts'
import { resolveProxy, setProxy } from './proxy.ts'

type RequestHandler = Parameters<Session['setPermissionRequestHandler']>[0]
type CheckHandler = Parameters<Session['setPermissionCheckHandler']>[0]
let decide: RequestHandler = null
let check: CheckHandler = null

class StandInSession
  extends EventEmitter
  implements
    Pick<
      Session,
      'resolveProxy' | 'setPermissionCheckHandler' | 'setPermissionRequestHandler' | 'setProxy'
    >
{
  setPermissionRequestHandler(handler: RequestHandler): void {
    decide = handler
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    check = handler
  }

  resolveProxy(url: string): Promise<string> {
    app.onlyWhenReady('session.defaultSession')
    return resolveProxy(url)
  }

  setProxy(config: ProxyConfig): Promise<void> {
    app.onlyWhenReady('session.defaultSession')
    return setProxy(config)
  }
}

export const session = { defaultSession: new StandInSession() }

/** Electron's names of permissions, and the browser's. */
const names = {
  'clipboard-read': 'clipboard-read',
  'clipboard-sanitized-write': 'clipboard-write',
  geolocation: 'geolocation',
  midi: 'midi',
  notifications: 'notifications',
} as const

/**
 * Permissions of a page at `url`, by the browser's names. Each is checked first, and asked for only if denied;
 * without a handler Electron grants all. Checks of notifications come without the page.
 */
export function permittedBy(contents: object, url: string): string[] {
  const origin = `${new URL(url).protocol}//${new URL(url).host}/`
  const details = { isMainFrame: true, requestingUrl: url }
  const isPermitted = (permission: keyof typeof names): boolean => {
    const asker = permission === 'notifications' ? null : (contents as WebContents)
    if (check === null || check(asker, permission, origin, details)) return true
    let isAllowed = decide === null
    decide?.(contents as WebContents, permission, (answer) => (isAllowed = answer), {
      ...details,
    } as never)
    return isAllowed
  }
  return (Object.keys(names) as (keyof typeof names)[])
    .filter(isPermitted)
    .map((permission) => names[permission])
}
