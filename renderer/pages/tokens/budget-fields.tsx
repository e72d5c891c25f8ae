import { Fieldset, SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../components/forms/number-field.tsx'
import { hasBudget } from './token-draft.ts'
import type { TokenFormPart } from './token-fields.ts'

export function BudgetFields({ draft, set, at }: TokenFormPart) {
  const { t } = useTranslation()
  const dollars = (
    field: 'dayDollars' | 'monthDollars',
    label: string,
    error: string | undefined,
  ) => (
    <NumberField
      label={label}
      placeholder={t('tokens.noBudget')}
      prefix="$"
      min={0}
      value={draft[field]}
      error={error}
      onChange={(value) => set({ [field]: value })}
    />
  )
  return (
    <Fieldset legend={t('tokens.budgets')} variant="unstyled" m={0} p={0}>
      <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm">
        {dollars('dayDollars', t('tokens.dayBudget'), at.day_budget)}
        {dollars('monthDollars', t('tokens.monthBudget'), at.month_budget)}
        {hasBudget(draft) && (
          <NumberField
            label={t('tokens.warning')}
            suffix=" %"
            min={1}
            max={100}
            whole
            value={draft.warning}
            error={at.budget_warning}
            onChange={(warning) => set({ warning })}
          />
        )}
      </SimpleGrid>
    </Fieldset>
  )
}
