import { Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { unitsOf } from '../../components/format/quota-units.ts'
import { useFormat } from '../../components/format/use-format.ts'
import { NumberField } from '../../components/forms/number-field.tsx'
import { splitFailure } from '../../components/forms/split-failure.ts'
import { useAction } from '../../gateway/queries.ts'
import type { UserRecord } from '../../gateway/records.ts'

/** As in the API. */
const modes = ['add', 'subtract', 'override'] as const
type Mode = (typeof modes)[number]

const labels = {
  value: 'users.quotaAmount',
} as const

/** Previews the outcome. */
export function QuotaDialog({ user, onClose }: { user: UserRecord; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [mode, setMode] = useState<Mode>('add')
  const [dollars, setDollars] = useState<number | string>('')
  const manage = useAction('user.manage', ['user.search', 'user.get', 'user.self'])
  const { at, rest } = splitFailure(manage.failure, labels, t)
  const value = unitsOf(dollars)
  const isPossible = dollars !== '' && (mode === 'override' || value > 0)
  const outcome = {
    add: user.quota + value,
    // Subtracting stops at 0 and doesn't forgive debt.
    subtract: Math.max(user.quota - value, Math.min(user.quota, 0)),
    override: value,
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await manage.run({ id: user.id, action: 'add_quota', mode, value })) onClose()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      size="sm"
      title={t('users.quotaTitle', { name: user.username })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          <SegmentedControl
            fullWidth
            aria-label={t('users.quotaMode')}
            data={modes.map((one) => ({ value: one, label: t(`users.quota_${one}`) }))}
            value={mode}
            onChange={(next) => setMode(next as Mode)}
          />
          <NumberField
            label={t('users.quotaAmount')}
            prefix="$"
            min={0}
            data-autofocus
            value={dollars}
            error={at.value}
            onChange={setDollars}
          />
          <Text c="dimmed" role="status">
            {isPossible
              ? t('users.quotaOutcome', {
                  before: format.money(user.quota),
                  after: format.money(outcome[mode]),
                })
              : t('users.quotaNow', { amount: format.money(user.quota) })}
          </Text>
          <FailureNote failure={rest} />
          <Group justify="flex-end">
            <ActionButton
              type="submit"
              disabled={!isPossible}
              busy={manage.busy}
              busyLabel={t('common.saving')}
              onCancel={manage.cancel}
            >
              {t('users.changeQuota')}
            </ActionButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
