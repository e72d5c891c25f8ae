import { Progress, Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/format/use-format.ts'
import type { TokenRecord } from '../../gateway/records.ts'
import styles from './token-budgets.module.css'

export function TokenBudgets({ token }: { token: TokenRecord }) {
  const { t } = useTranslation()
  const budgets = [
    { budget: token.day_budget, used: token.day_used, span: 'day' },
    { budget: token.month_budget, used: token.month_used, span: 'month' },
  ] as const
  return (
    <>
      {budgets.map(
        ({ budget, used, span }) =>
          budget !== null && (
            <BudgetBar
              key={span}
              label={t(span === 'day' ? 'tokens.usedToday' : 'tokens.usedThisMonth')}
              used={used}
              budget={budget}
              warning={token.budget_warning}
            />
          ),
      )}
    </>
  )
}

interface BudgetBarProps {
  label: string
  /** Quota units. */
  used: number
  budget: number
  /** Percent of the budget. */
  warning: number
}

function BudgetBar({ label, used, budget, warning }: BudgetBarProps) {
  const format = useFormat()
  const share = used / budget
  const color = share >= 1 ? 'red' : share * 100 >= warning ? 'orange' : 'iris'
  const amounts = `${format.money(used)} / ${format.money(budget)}`
  return (
    <Tooltip label={`${label}: ${format.percent(share)}`}>
      <div className={styles.budget}>
        <Progress.Root size={5} w={36} flex="none">
          <Progress.Section
            value={Math.min(100, share * 100)}
            color={color}
            aria-label={`${label}: ${amounts}`}
          />
        </Progress.Root>
        <span className={styles.amounts} data-state={color}>
          {amounts}
        </span>
        <span className={styles.span}>{label}</span>
      </div>
    </Tooltip>
  )
}
