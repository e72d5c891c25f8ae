import { Box, Button, Group, Text } from '@mantine/core'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { needsStepUp } from '../../../components/step-up/needs-step-up.ts'
import { StepUp } from '../../../components/step-up/step-up.tsx'
import { useAction } from '../../../gateway/queries.ts'
import { SettingLine } from '../setting-line.tsx'
import { OptionControl } from './option-control.tsx'
import type { OptionEntry } from './option-entry.ts'

export type OptionRecord = OperationOutput<'option.list'>[number]

interface OptionLineProps {
  entry: OptionEntry
  stored: OptionRecord
}

/** Objects and lists show one entry per line. */
function shownValue({ kind }: OptionEntry, value: string): string {
  if (kind !== 'json') return value
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}

/** A switch saves at once, the others with their button or Enter. */
export function OptionLine({ entry, stored }: OptionLineProps) {
  const { t } = useTranslation()
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [asked, setAsked] = useState<string | null>(null)
  const update = useAction('option.update', ['option.list', 'status.get'])
  const name = t(`options.${entry.label}`)
  const before = shownValue(entry, stored.value)
  const value = typed ?? before
  const isChanged = entry.kind === 'secret' ? Boolean(typed) : typed !== null && typed !== before
  // A secret resets to none, other options to their default.
  const canReset =
    entry.kind === 'secret'
      ? stored.has_value === true
      : stored.default !== undefined && stored.default !== stored.value

  const save = async (next: string | null) => {
    if (next !== null) setTyped(next)
    setAsked(next)
    const reply = await update.run({ key: entry.key, value: next })
    // A refused value stays in the field; a switch shows the stored value.
    if (reply || entry.kind === 'switch') setTyped(null)
  }
  const isStepUp = needsStepUp(update.failure)
  const refusal = isStepUp ? null : update.failure
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save(value)
  }

  return (
    <SettingLine label={name} labelFor={id} hint={entry.hint && t(`options.${entry.hint}`)}>
      {isStepUp && (
        <StepUp
          failure={update.failure}
          purpose={t('options.stepUp', { name })}
          onVerified={() => void save(asked)}
          onClose={update.reset}
        />
      )}
      <form onSubmit={submit}>
        <Group gap={8} wrap="nowrap" align="flex-start">
          <Box flex={1}>
            <OptionControl
              entry={entry}
              id={id}
              value={value}
              isSet={stored.has_value === true}
              refused={refusal !== null}
              onChange={(next) => (entry.kind === 'switch' ? void save(next) : setTyped(next))}
            />
          </Box>
          {entry.kind !== 'switch' && isChanged && (
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
          {!isChanged && canReset && !update.busy && entry.kind !== 'switch' && (
            <Button
              variant="subtle"
              color="gray"
              onClick={() => void save(null)}
              aria-label={t(entry.kind === 'secret' ? 'options.clearNamed' : 'options.resetNamed', {
                name,
              })}
            >
              {t(entry.kind === 'secret' ? 'options.clear' : 'options.reset')}
            </Button>
          )}
        </Group>
        {refusal && (
          <Text c="var(--bad)" role="alert" fz={12} mt={4}>
            {refusal.message}
          </Text>
        )}
      </form>
    </SettingLine>
  )
}
