import { useTranslation } from 'react-i18next'

export const dimensions = ['model', 'channel', 'token', 'user'] as const
export type Dimension = (typeof dimensions)[number]

/** A row's label, else its id. Calls without a token come from the console. */
export function useUsageNames(by: Dimension): (row: { key: string; label: string }) => string {
  const { t } = useTranslation()
  return ({ key, label }) => {
    if (label) return label
    if (by === 'model') return key || t('usage.noModel')
    if (key === '0') return t(by === 'token' ? 'usage.noToken' : 'usage.noChannel')
    return `#${key}`
  }
}
