import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { approximate } from './approximate.ts'
import { useFormat } from './use-format.ts'

interface CostSum {
  /** Units of the calls with a known price; null where no call has one. */
  quota: number | null
  /** Calls whose cost isn't known. */
  unpriced: number
  /** Calls whose tokens are an estimate, and so their cost. */
  estimated: number
}

interface SumCost {
  /** What calls cost together, as far as that is known. */
  costOf: (sum: CostSum) => string
  /** Why that is no more certain. */
  noteOf: (sum: CostSum) => string | undefined
}

/** Of a token or user. */
export const usedSum = (used: {
  used_quota: number
  unpriced_calls: number
  estimated_calls: number
}): CostSum => ({
  quota: used.used_quota,
  unpriced: used.unpriced_calls,
  estimated: used.estimated_calls,
})

/** Is nothing known of the cost? Beside unpriced calls a 0 is that of calls that failed. */
export const isUnpriced = ({ quota, unpriced }: Pick<CostSum, 'quota' | 'unpriced'>): boolean =>
  (quota ?? 0) === 0 && unpriced > 0

export function useSumCost(): SumCost {
  const { t } = useTranslation()
  const format = useFormat()
  return useMemo(
    () => ({
      costOf: (sum) => {
        if (isUnpriced(sum)) return t('common.unpriced')
        const known = approximate(format.money(sum.quota), sum.estimated > 0)
        return sum.unpriced > 0 ? `≥ ${known}` : known
      },
      noteOf: (sum) => {
        const { unpriced, estimated } = sum
        const notes = [
          estimated > 0 && t('usage.estimatedCalls', { count: estimated }),
          unpriced > 0 && !isUnpriced(sum) && t('usage.andUnpriced', { count: unpriced }),
        ]
        return format.list(notes.filter((note) => note !== false)) || undefined
      },
    }),
    [t, format],
  )
}
