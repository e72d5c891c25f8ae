import type { settings } from '../../i18n/english/settings.ts'

type SettingText = keyof typeof settings

export interface OptionEntry {
  /** The setting's name on the wire. */
  key: string
  kind: 'switch' | 'number' | 'text' | 'list'
  label: SettingText
  hint?: SettingText
  unit?: SettingText
}

/** The settings that a person may want to change, in the order of the page. */
export const optionEntries: readonly OptionEntry[] = [
  { key: 'RetryTimes', kind: 'number', label: 'retryTimes', hint: 'retryTimesHint' },
  {
    key: 'PreferNativeFormat',
    kind: 'switch',
    label: 'preferNative',
    hint: 'preferNativeHint',
  },
  { key: 'AutomaticRetryStatusCodes', kind: 'text', label: 'retryCodes', hint: 'retryCodesHint' },
  { key: 'RetryOnTimeout', kind: 'switch', label: 'retryOnTimeout' },
  {
    key: 'UpstreamIdleSeconds',
    kind: 'number',
    label: 'upstreamIdle',
    hint: 'zeroNever',
    unit: 'seconds',
  },
  {
    key: 'StreamKeepAliveSeconds',
    kind: 'number',
    label: 'keepAlive',
    hint: 'zeroNever',
    unit: 'seconds',
  },
  { key: 'SelfUseModeEnabled', kind: 'switch', label: 'selfUse', hint: 'selfUseHint' },
  { key: 'LegacyStatus', kind: 'switch', label: 'legacyStatus', hint: 'legacyStatusHint' },
  { key: 'LogDays', kind: 'number', label: 'logDays', hint: 'logDaysHint', unit: 'days' },
  { key: 'AllowedHosts', kind: 'list', label: 'allowedHosts', hint: 'allowedHostsHint' },
  { key: 'AllowedOrigins', kind: 'list', label: 'allowedOrigins', hint: 'allowedOriginsHint' },
]
