import { Group, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { NumberField } from '../../components/forms/number-field.tsx'
import { splitFailure } from '../../components/forms/split-failure.ts'
import { useFocusError } from '../../components/forms/use-focus-error.ts'
import { FormDrawer } from '../../components/leaving/form-drawer.tsx'
import { useUnsavedDraft } from '../../components/leaving/use-unsaved.ts'
import { useAction } from '../../gateway/queries.ts'
import {
  draftOfPrice,
  fieldsOfPrice,
  type PriceDraft,
  type PriceField,
  type PriceRow,
  priceLabels,
  tokenPrices,
  unitPrices,
} from './price-fields.ts'

interface PriceDrawerProps {
  /** Null while closed. */
  row: PriceRow | null
  onClose: () => void
}

export function PriceDrawer({ row, onClose }: PriceDrawerProps) {
  const { t } = useTranslation()
  return (
    <FormDrawer
      opened={row !== null}
      onClose={onClose}
      size={440}
      title={t('prices.editTitle', { model: row?.model ?? '' })}
    >
      {row && <PriceForm key={row.model} row={row} onSaved={onClose} />}
    </FormDrawer>
  )
}

function PriceForm({ row, onSaved }: { row: PriceRow; onSaved: () => void }) {
  const { t } = useTranslation()
  const [read] = useState(row)
  const [draft, setDraft] = useState<PriceDraft>(() => draftOfPrice(row))
  useUnsavedDraft(draft)
  const save = useAction('price.set', ['price.list'])
  const reset = useAction('price.reset', ['price.list'])
  const form = useFocusError(save.failure)
  const { at, rest } = splitFailure(save.failure, priceLabels, t)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await save.run(fieldsOfPrice(draft, read, row))) onSaved()
  }
  const goBack = async () => {
    if (await reset.run({ model: row.model })) onSaved()
  }
  const field = (name: PriceField) => (
    <NumberField
      key={name}
      label={t(priceLabels[name])}
      prefix="$"
      min={0}
      value={draft[name]}
      error={at[name]}
      onChange={(value) => setDraft((current) => ({ ...current, [name]: value }))}
    />
  )

  return (
    <form ref={form} onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <Text c="dimmed">{t('prices.editHint')}</Text>
        <Stack gap={8} component="fieldset" bd={0} p={0} m={0}>
          <Text component="legend" fw={600} mb={4}>
            {t('prices.perMillion')}
          </Text>
          {tokenPrices.map(field)}
        </Stack>
        <Stack gap={8} component="fieldset" bd={0} p={0} m={0}>
          <Text component="legend" fw={600} mb={4}>
            {t('prices.perUnit')}
          </Text>
          {unitPrices.map(field)}
        </Stack>
        <FailureNote failure={rest ?? reset.failure} />
        <Group justify="space-between">
          {row.source === 'own' ? (
            <ActionButton
              variant="default"
              busy={reset.busy}
              busyLabel={t('prices.resetting')}
              onCancel={reset.cancel}
              onClick={() => void goBack()}
            >
              {t('prices.reset')}
            </ActionButton>
          ) : (
            <span />
          )}
          <ActionButton
            type="submit"
            busy={save.busy}
            busyLabel={t('common.saving')}
            onCancel={save.cancel}
          >
            {t('common.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}
