import { SECRET_NAME } from '../../../relay/channel/channel-secrets.ts'
import type { ChannelDraft } from '../../../transfer/transfer.ts'
import { shownSetting } from '../../channels/channel-proxy.ts'
import { shownHeaders } from '../../channels/secret-headers.ts'

/** Stands for a value that stayed behind. */
export const HIDDEN = '***'

/** Keys as vendors write them, and anything random enough to be one. */
const KEYS = [
  /(?:^|[^a-z0-9])(?:sk|pk|rk|gsk|xai|hf|r8|fw|tgp|key|nvapi|AIza)[-_]?[\w-]{16,}/i,
  /(?:^|[^\w+=-])(?=[A-Za-z_+=]*\d)(?=[\d_+=]*[A-Za-z])[\w+=]{20,}/,
  /^(?:basic|bearer|token|apikey)\s+\S/i,
]

/** Is the text, under this name, perhaps nobody else's business? */
const isSecret = (name: string, text: string): boolean =>
  text !== '' && (SECRET_NAME.test(name) || KEYS.some((key) => key.test(text)))

/** A URL whose query may hold keys. */
export const hideInUrl = (url: string): string =>
  url.replace(/([?&]([^=&#]*)=)([^&#]+)/g, (whole, before: string, name: string, value: string) =>
    isSecret(name, value) ? `${before}${HIDDEN}` : whole,
  )

/** The value without its secrets; `onHidden` is told the path of each. */
function hidden(value: unknown, path: string, onHidden: (path: string) => void): unknown {
  if (typeof value === 'string') {
    const name = path.slice(path.lastIndexOf('.') + 1)
    const shown = value.includes('://') ? hideInUrl(value) : isSecret(name, value) ? HIDDEN : value
    if (shown !== value) onHidden(path)
    return shown
  }
  if (Array.isArray(value)) {
    return value.map((one, index) => hidden(one, `${path}.${index}`, onHidden))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const at = `${path}.${name}`
      // An operation names the field in `path` and has its value beside it.
      const isValue = name === 'value' && 'path' in value && SECRET_NAME.test(String(value.path))
      if (!isValue || typeof one !== 'string' || one === '')
        return [name, hidden(one, at, onHidden)]
      onHidden(at)
      return [name, HIDDEN]
    }),
  )
}

/** A channel without what may be secret, but for its keys, and the fields that hold such values. */
export function withoutSecrets(draft: ChannelDraft): { draft: ChannelDraft; fields: string[] } {
  const fields: string[] = []
  const note = (path: string): void => void fields.push(path)
  const { own } = draft
  const base_url = draft.base_url === null ? null : hideInUrl(draft.base_url)
  if (base_url !== draft.base_url) note('base_url')
  if (!own) return { draft: { ...draft, base_url }, fields }
  const headers = shownHeaders(own.header_override)
  for (const [name, value] of Object.entries(headers)) {
    if (value !== own.header_override[name]) note(`header_override.${name}`)
  }
  const setting = shownSetting(own.setting)
  if (setting.proxy !== own.setting.proxy) note('setting.proxy')
  const { proxy, ...otherSetting } = setting
  const clean = <Value>(value: Value, name: string) => hidden(value, name, note) as Value
  return {
    draft: {
      ...draft,
      base_url,
      own: {
        ...own,
        other: clean(own.other, 'other'),
        remark: clean(own.remark, 'remark'),
        header_override: clean(headers, 'header_override'),
        param_override: clean(own.param_override, 'param_override'),
        settings: clean(own.settings, 'settings'),
        setting: { ...clean(otherSetting, 'setting'), ...(proxy !== undefined && { proxy }) },
      },
    },
    fields: [...new Set(fields)],
  }
}

/**
 * The value with its hidden parts as `known` has them, where `known` looks the same without its secrets; other
 * hidden parts are left out, and `onLost` is told their paths.
 */
export function withKnownSecrets(
  value: unknown,
  known: unknown,
  path: string,
  onLost: (path: string) => void,
): unknown {
  if (typeof value === 'string') {
    if (!value.includes(HIDDEN)) return value
    const isSame = typeof known === 'string' && (value === HIDDEN || hideInUrl(known) === value)
    if (isSame) return known
    onLost(path)
    return value.includes('://') ? withoutHiddenQuery(value) : undefined
  }
  if (Array.isArray(value)) {
    const others: readonly unknown[] = Array.isArray(known) ? known : []
    return value.map((one, index) =>
      withKnownSecrets(one, others[index], `${path}.${index}`, onLost),
    )
  }
  if (typeof value !== 'object' || value === null) return value
  const other = new Map(Object.entries(Object(known)))
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, one]) => [
        name,
        withKnownSecrets(one, other.get(name), `${path}.${name}`, onLost),
      ])
      .filter(([, one]) => one !== undefined),
  )
}

const withoutHiddenQuery = (url: string): string =>
  url.replace(/[?&][^=&#]*=\*\*\*(?=[&#]|$)/g, '').replace(/^([^?&]*)&/, '$1?')
