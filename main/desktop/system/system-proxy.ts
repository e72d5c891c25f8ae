import { powerMonitor, type Session } from 'electron'
import type { GatewayOptions } from '../../gateway.ts'

/**
 * The system's proxy settings as Chromium reads them, automatic configuration included. Chromium tells nobody that
 * they have changed: after a sleep the network is often another one, and for the rest the gateway asks again.
 *
 * https://www.electronjs.org/docs/latest/api/session#sesresolveproxyurl
 */
export const systemProxy = (
  session: Pick<Session, 'resolveProxy'>,
): NonNullable<GatewayOptions['systemProxy']> => ({
  resolve: (url) => session.resolveProxy(url),
  onChange: (listener) => powerMonitor.on('resume', listener),
})
