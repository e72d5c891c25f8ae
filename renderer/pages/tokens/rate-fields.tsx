import { Fieldset, SimpleGrid, Text } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../components/forms/number-field.tsx'
import type { TokenFormPart } from './token-fields.ts'

export function RateFields({ draft, set, at }: TokenFormPart) {
  const { t } = useTranslation()
  const hint = useId()
  const rate = (field: 'requestRate' | 'tokenRate', label: string, error: string | undefined) => (
    <NumberField
      label={label}
      placeholder={t('tokens.noRate')}
      min={1}
      whole
      grouped
      value={draft[field]}
      error={error}
      onChange={(value) => set({ [field]: value })}
    />
  )
  return (
    <Fieldset legend={t('tokens.rates')} variant="unstyled" m={0} p={0} aria-describedby={hint}>
      <SimpleGrid cols={2} spacing="sm">
        {rate('requestRate', t('tokens.requestRate'), at.requests_per_minute)}
        {rate('tokenRate', t('tokens.tokenRate'), at.tokens_per_minute)}
      </SimpleGrid>
      <Text id={hint} c="dimmed" fz={12} mt={4}>
        {t('tokens.rateHint')}
      </Text>
    </Fieldset>
  )
}
