import { Box, Group, Text } from '@mantine/core'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/action-button.tsx'
import { useAction } from '../../gateway/queries.ts'
import { OptionControl } from './option-control.tsx'
import type { OptionEntry } from './option-entries.ts'
import { SettingLine } from './setting-line.tsx'

/** One setting: a switch saves at once, the others when their button or Enter is pressed. */
export function OptionLine({ entry, stored }: { entry: OptionEntry; stored: string }) {
  const { t } = useTranslation()
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const update = useAction('option.update', ['option.list'])
  const name = t(`settings.${entry.label}`)
  const value = typed ?? stored

  const save = async (next: string) => {
    setTyped(next)
    const reply = await update.run({ key: entry.key, value: next })
    // What was refused stays in the field, except a switch, which must show what holds.
    if (reply || entry.kind === 'switch') setTyped(null)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save(value)
  }

  return (
    <SettingLine label={name} labelFor={id} hint={entry.hint && t(`settings.${entry.hint}`)}>
      <form onSubmit={submit}>
        <Group gap={8} wrap="nowrap">
          <Box flex={1}>
            <OptionControl
              entry={entry}
              id={id}
              value={value}
              refused={update.failure !== null}
              onChange={(next) => (entry.kind === 'switch' ? void save(next) : setTyped(next))}
            />
          </Box>
          {entry.kind !== 'switch' && typed !== null && typed !== stored && (
            <ActionButton
              type="submit"
              busy={update.busy}
              busyLabel={t('common.saving')}
              onCancel={update.cancel}
              aria-label={t('settings.saveSetting', { name })}
            >
              {t('common.save')}
            </ActionButton>
          )}
        </Group>
        {update.failure && (
          <Text c="var(--bad)" role="alert" fz={12} mt={4}>
            {update.failure.message}
          </Text>
        )}
      </form>
    </SettingLine>
  )
}
