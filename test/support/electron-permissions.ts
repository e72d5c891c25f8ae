import { EventEmitter } from 'node:events'
import type { Session, WebContents } from 'electron'

type RequestHandler = Parameters<Session['setPermissionRequestHandler']>[0]
type CheckHandler = Parameters<Session['setPermissionCheckHandler']>[0]
let decide: RequestHandler = null
let check: CheckHandler = null

class StandInSession
  extends EventEmitter
  implements Pick<Session, 'setPermissionCheckHandler' | 'setPermissionRequestHandler'>
{
  setPermissionRequestHandler(handler: RequestHandler): void {
    decide = handler
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    check = handler
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
 * What a page at `url` may do, as the browser names it. It is checked first, and only what is denied is asked for;
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
