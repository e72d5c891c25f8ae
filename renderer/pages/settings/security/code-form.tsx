import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { splitFailure } from '../../../components/forms/split-failure.ts'
import { useFocusError } from '../../../components/forms/use-focus-error.ts'
import type { CallFailure } from '../../../gateway/call-failure.ts'

interface CodeFormProps {
  hint: string
  verb: string
  busyLabel: string
  /** Focuses the field when it appears. */
  focused?: boolean
  action: { busy: boolean; failure: CallFailure | null; cancel: () => void }
  onCode: (code: string) => void
  onLeave: () => void
}

const labels = {
  code: 'security.code',
} as const

export function CodeForm(props: CodeFormProps) {
  const { hint, verb, busyLabel, action, focused = true, onCode, onLeave } = props
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const form = useFocusError(action.failure)
  const { at, rest } = splitFailure(action.failure, labels, t)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onCode(code.trim())
  }
  return (
    <form ref={form} onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          maw={320}
          label={t('security.code')}
          description={hint}
          autoComplete="one-time-code"
          spellCheck={false}
          autoFocus={focused}
          value={code}
          error={at.code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <FailureNote failure={rest} />
        <Group gap={8}>
          <ActionButton
            type="submit"
            disabled={code.trim() === ''}
            busy={action.busy}
            busyLabel={busyLabel}
            onCancel={action.cancel}
          >
            {verb}
          </ActionButton>
          {!action.busy && (
            <Button variant="default" onClick={onLeave}>
              {t('common.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
