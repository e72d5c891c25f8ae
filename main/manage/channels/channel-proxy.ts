import { GatewayError } from '../../base/errors.ts'
import type { ChannelSetting } from '../../store/records/channels.ts'
import {
  hideProxyPassword,
  isProxyPasswordHidden,
  readProxy,
} from '../../upstream/proxy/read-proxy.ts'
import { type JsonProblem, jsonProblem } from '../operation/json-text.ts'

/** The problem with the proxy of a `setting`, or null. A hidden password is looked at by `withKnownPassword`. */
export function wrongProxy(proxy: unknown): JsonProblem | null {
  if (proxy === undefined || proxy === null || proxy === '') return null
  if (typeof proxy !== 'string')
    return jsonProblem('names a proxy that isn’t text', { code: 'proxy_no_text' })
  if (isProxyPasswordHidden(proxy)) return null
  try {
    readProxy(proxy)
    return null
  } catch (error) {
    if (!(error instanceof GatewayError)) return null
    return jsonProblem(
      `names a proxy that is wrong. ${error.message}`,
      error.reason ?? { code: 'proxy_no_address' },
    )
  }
}

/** A `setting` as it is shown: the password of its proxy is hidden. */
export const shownSetting = (setting: ChannelSetting): ChannelSetting =>
  setting.proxy ? { ...setting, proxy: hideProxyPassword(setting.proxy) } : setting

/**
 * A `setting` that came back as it was shown, with the password that is known. Throws `invalid_params` where
 * none is, or where the proxy is another one.
 */
export function withKnownPassword<Setting extends ChannelSetting | undefined>(
  setting: Setting,
  before: ChannelSetting = {},
): Setting {
  const proxy = setting?.proxy
  if (!setting || !proxy || !isProxyPasswordHidden(proxy)) return setting
  if (before.proxy && hideProxyPassword(before.proxy) === proxy) {
    return { ...setting, proxy: before.proxy }
  }
  throw new GatewayError('invalid_params', {
    message:
      'The password of the proxy is hidden: enter the whole address with its password again.',
    field: 'setting',
    reason: { code: 'proxy_password_hidden' },
  })
}
