import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** US dollars with as many decimals as needed: $0.0001, $2.50; unknown is a dash. */
export function useDollars(): (value: number | null) => string {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const digits = new Intl.NumberFormat(i18n.language, {
      minimumFractionDigits: 2,
      maximumFractionDigits: 8,
    })
    return (value) => (value === null ? '–' : `$${digits.format(value)}`)
  }, [i18n.language])
}
