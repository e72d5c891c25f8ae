import { Badge, Box, Button, Group, Text } from '@mantine/core'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { splitFailure } from '../../../components/forms/split-failure.ts'
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
  /** An edit that isn't saved; null for none. */
  typed: string | null
  onType: (typed: string | null) => void
}

/** A secret resets to none, other options to their default. */
export const isChanged = ({ kind }: OptionEntry, stored: OptionRecord): boolean =>
  kind === 'secret'
    ? stored.has_value === true
    : stored.default !== undefined && stored.default !== stored.value

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
export function OptionLine({ entry, stored, typed, onType }: OptionLineProps) {
  const { t } = useTranslation()
  const id = useId()
  const [asked, setAsked] = useState<string | null>(null)
  const update = useAction('option.update', ['option.list', 'status.get'])
  const name = t(`options.${entry.label}`)
  const before = shownValue(entry, stored.value)
  const isSecret = entry.kind === 'secret'
  const value = typed ?? before
  const canReset = isChanged(entry, stored)
  const type = (next: string) => onType(next === (isSecret ? '' : before) ? null : next)

  const save = async (next: string | null) => {
    if (next !== null) onType(next)
    setAsked(next)
    const reply = await update.run({ key: entry.key, value: next })
    // A refused value stays in the field; a switch shows the stored value.
    if (reply || entry.kind === 'switch') onType(null)
  }
  const isStepUp = needsStepUp(update.failure)
  const refusal = isStepUp ? null : update.failure
  const { at, rest } = splitFailure(refusal, { [entry.key]: `options.${entry.label}` as const }, t)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save(value)
  }

  return (
    <SettingLine
      label={name}
      labelFor={id}
      hint={entry.hint && t(`options.${entry.hint}`)}
      mark={
        canReset && (
          <Badge color="blue">{t(isSecret ? 'options.isSetMark' : 'options.changed')}</Badge>
        )
      }
    >
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
              onChange={(next) => (entry.kind === 'switch' ? void save(next) : type(next))}
            />
          </Box>
          {entry.kind !== 'switch' && typed !== null && (
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
          {typed === null && canReset && !update.busy && (
            <Button
              variant="subtle"
              color="gray"
              onClick={() => void save(null)}
              aria-label={t(isSecret ? 'options.clearNamed' : 'options.resetNamed', {
                name,
              })}
            >
              {t(isSecret ? 'options.clear' : 'options.reset')}
            </Button>
          )}
        </Group>
        {refusal && (
          <Text c="var(--bad)" role="alert" fz={12} mt={4}>
            {at[entry.key] ?? rest?.message}
          </Text>
        )}
      </form>
    </SettingLine>
  )
}
