import { useTranslation } from 'react-i18next'

/** What the rows of a summary are about. */
export const dimensions = ['model', 'channel', 'token', 'user'] as const
export type Dimension = (typeof dimensions)[number]

/** How a row is called: its label, else its id. Calls without a token are the console's own. */
export function useUsageNames(by: Dimension): (row: { key: string; label: string }) => string {
  const { t } = useTranslation()
  return ({ key, label }) => {
    if (label) return label
    if (by === 'model') return key || t('usage.noModel')
    if (key === '0') return t(by === 'token' ? 'usage.noToken' : 'usage.noChannel')
    return `#${key}`
  }
}
