import { Alert, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { unitsOf } from '../../../components/format/quota-units.ts'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { splitFailure } from '../../../components/forms/split-failure.ts'
import { useFocusError } from '../../../components/forms/use-focus-error.ts'
import { useTextLimit } from '../../../components/forms/use-text-limit.ts'
import { useUnsavedDraft } from '../../../components/leaving/use-unsaved.ts'
import { useAction } from '../../../gateway/queries.ts'
import type { RedemptionRecord } from '../../../gateway/records.ts'
import {
  type CodeDraft,
  draftOfCode,
  fieldsOfCode,
  fieldsOfNewCodes,
  newCodeDraft,
} from './code-draft.ts'
import { isUsed } from './code-states.ts'

interface CodeFormProps {
  stored?: RedemptionRecord
  /** Called with the new codes, if any. */
  onSaved: (codes: readonly string[] | null) => void
}

const labels = {
  name: 'redeem.name',
  count: 'redeem.count',
  quota: 'redeem.value',
  expired_time: 'redeem.expires',
} as const
const longestName = 20
const mostCodes = 100

export function CodeForm({ stored, onSaved }: CodeFormProps) {
  const { t } = useTranslation()
  const limited = useTextLimit()
  const [draft, setDraft] = useState<CodeDraft>(() => (stored ? draftOfCode(stored) : newCodeDraft))
  useUnsavedDraft(draft)
  const create = useAction('redemption.create', ['redemption.search'])
  const update = useAction('redemption.update', ['redemption.search', 'redemption.get'])
  const action = stored ? update : create
  const form = useFocusError(action.failure)
  const { at, rest } = splitFailure(action.failure, labels, t)
  // Without an amount the gateway would use a tiny default.
  const hasNoValue = unitsOf(draft.dollars) <= 0
  const isFrozen = stored !== undefined && isUsed(stored)
  const set = (changed: Partial<CodeDraft>) => setDraft((current) => ({ ...current, ...changed }))

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (stored) {
      if (await update.run(fieldsOfCode(stored, draft))) onSaved(null)
      return
    }
    const reply = await create.run(fieldsOfNewCodes(draft))
    if (reply) onSaved(reply.data)
  }

  return (
    <form ref={form} onSubmit={(event) => void save(event)}>
      <Stack gap="md">
        {isFrozen && <Alert>{t('redeem.frozen')}</Alert>}
        <TextInput
          label={t('redeem.name')}
          data-autofocus
          value={draft.name}
          {...limited(draft.name, longestName, {
            description: t('redeem.nameHint'),
            error: at.name,
          })}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        {!stored && (
          <NumberField
            label={t('redeem.count')}
            description={t('redeem.countHint', { most: mostCodes })}
            min={1}
            max={mostCodes}
            whole
            value={draft.count}
            error={at.count}
            onChange={(value) => set({ count: value })}
          />
        )}
        <NumberField
          label={t('redeem.value')}
          description={t('redeem.valueHint')}
          prefix="$"
          min={0}
          disabled={isFrozen}
          value={draft.dollars}
          error={hasNoValue ? t('redeem.valueMissing') : at.quota}
          onChange={(value) => set({ dollars: value })}
        />
        <TextInput
          type="datetime-local"
          label={t('redeem.expires')}
          description={t('redeem.expiresHint')}
          disabled={isFrozen}
          value={draft.expires}
          error={at.expired_time}
          onChange={(event) => set({ expires: event.currentTarget.value })}
        />
        <FailureNote failure={rest} />
        <Group justify="flex-end">
          <ActionButton
            type="submit"
            disabled={hasNoValue}
            busy={action.busy}
            busyLabel={stored ? t('common.saving') : t('redeem.creating')}
            onCancel={action.cancel}
          >
            {stored ? t('common.save') : t('redeem.create')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}
