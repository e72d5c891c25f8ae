import { z } from 'zod'
import { GatewayError } from '../../../base/errors.ts'
import { isSecretSetting, type Settings } from '../../../store/state/settings.ts'
import { settingsSchema } from '../../../store/state/settings-schema.ts'
import { checkNewCertificates, WrongCertificates } from '../../../upstream/tls/read-certificates.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { readInput } from '../../operation/read-input.ts'
import { changesOf } from './changes.ts'
import { note } from './item-notes.ts'
import { type Plan, type PlannedItem, refusedEntry } from './plan.ts'

type Name = keyof Settings

/** Settings that are parts of their own, or belong to one machine at one time. */
const elsewhere: ReadonlySet<string> = new Set<Name>([
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ModelPrice',
  'UnitPrice',
  'GroupRatio',
  'GroupGroupRatio',
  'UserUsableGroups',
  'AutoGroups',
  'TopupGroupRatio',
  'PausedSince',
])

/** Settings by which others reach the gateway or what is in it, or by which it trusts others. */
const opening: ReadonlySet<string> = new Set<Name>([
  'ServerAddress',
  'AllowedHosts',
  'AllowedOrigins',
  'TrustedProxies',
  'RegisterEnabled',
  'PasswordRegisterEnabled',
  'ExposeRatioEnabled',
  'CaptureLevel',
  'CaptureForUsers',
  'ExtraCaCertificates',
  'DesktopUpdateFeed',
  'fetch_setting.allowed_ports',
])

const isName = (name: string): name is Name =>
  Object.hasOwn(settingsSchema.shape, name) && !elsewhere.has(name)

/** The settings that were changed from their defaults. */
export const toSettingDrafts = (
  { settings, state }: GatewayParts,
  hasSecrets: boolean,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(state.data.settings)
      .filter(isName)
      .filter((name) => hasSecrets || !isSecretSetting(name))
      .map((name) => [name, settings.current[name]]),
  )

function checkValue(name: Name, value: unknown): Partial<Settings> {
  const fields = readInput(z.object({ [name]: settingsSchema.shape[name] }), { [name]: value })
  if (name === 'ExtraCaCertificates') {
    try {
      checkNewCertificates(String(value))
    } catch (cause) {
      if (!(cause instanceof WrongCertificates)) throw cause
      const { message, reason } = cause
      throw new GatewayError('invalid_params', { message, field: name, cause, reason })
    }
  }
  return fields
}

const noSetting = (name: string): GatewayError =>
  elsewhere.has(name)
    ? new GatewayError('invalid_params', {
        message: 'It is not imported as a setting.',
        reason: { code: 'setting_elsewhere' },
      })
    : new GatewayError('invalid_params', {
        message: 'This version has no such setting.',
        reason: { code: 'setting_unknown' },
      })

/** Compares the settings of an import with those that are here. */
export function planSettings(
  entries: Readonly<Record<string, unknown>>,
  parts: GatewayParts,
): Plan {
  const plan: Plan = { items: [], leftOut: [] }
  const stored = parts.state.data.settings
  for (const [name, value] of Object.entries(entries)) {
    if (!isName(name)) {
      plan.leftOut.push(refusedEntry('settings', name, noSetting(name)))
      continue
    }
    try {
      const fields = checkValue(name, value)
      const changes = changesOf<Partial<Settings>>(parts.settings.current, fields, (given) =>
        isSecretSetting(name) ? { [name]: '***' } : given,
      )
      const isNew = !Object.hasOwn(stored, name)
      const item: PlannedItem = {
        part: 'settings',
        name,
        state: changes.length === 0 ? 'same' : isNew ? 'new' : 'changed',
        changes,
        notes: opening.has(name) && changes.length > 0 ? [note('opens_gateway')] : [],
        write: (_how, { parts: now }) => now.settings.update(fields),
      }
      plan.items.push(item)
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      plan.leftOut.push(refusedEntry('settings', name, error))
    }
  }
  return plan
}
