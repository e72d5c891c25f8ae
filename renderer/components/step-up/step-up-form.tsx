import {
  Button,
  Group,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../gateway/queries.ts'
import { ActionButton } from '../actions/action-button.tsx'
import { FailureNote } from '../feedback/failure-note.tsx'

const offered = ['2fa', 'password'] as const
type Method = (typeof offered)[number]

interface StepUpFormProps {
  /** `2fa` or `password`. */
  methods: readonly string[]
  purpose: string
  onVerified: () => void
  onClose: () => void
}

export function StepUpForm({ methods, purpose, onVerified, onClose }: StepUpFormProps) {
  const { t } = useTranslation()
  const known = offered.filter((method) => methods.includes(method))
  const [chosen, setChosen] = useState<Method | null>(null)
  const [proof, setProof] = useState('')
  const verify = useAction('verify.run', ['verify.status'])
  const method = chosen ?? known[0]

  if (!method) return <Text>{t('stepUp.noMethod')}</Text>

  const send = async (event: FormEvent) => {
    event.preventDefault()
    // The dialog may stand in a page's form, which must not be submitted.
    event.stopPropagation()
    if (await verify.run({ method, code: method === '2fa' ? proof.trim() : proof })) onVerified()
  }
  const field = {
    label: t(`stepUp.${method === '2fa' ? 'code' : 'password'}`),
    value: proof,
    'data-autofocus': true,
    autoFocus: true,
    error: verify.failure?.field ? verify.failure.message : undefined,
    onChange: (event: { currentTarget: { value: string } }) => setProof(event.currentTarget.value),
  }

  return (
    <form onSubmit={(event) => void send(event)}>
      <Stack gap="md">
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {purpose}
        </Text>
        {known.length > 1 && (
          <SegmentedControl
            aria-label={t('stepUp.method')}
            data={known.map((one) => ({ value: one, label: t(`stepUp.with_${one}`) }))}
            value={method}
            onChange={(one) => {
              setChosen(one as Method)
              setProof('')
              verify.reset()
            }}
          />
        )}
        {method === '2fa' ? (
          <TextInput
            {...field}
            description={t('stepUp.codeHint')}
            autoComplete="one-time-code"
            spellCheck={false}
          />
        ) : (
          <PasswordInput
            {...field}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
          />
        )}
        {!field.error && <FailureNote failure={verify.failure} />}
        <Group justify="flex-end" gap={8}>
          {!verify.busy && (
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
          )}
          <ActionButton
            type="submit"
            disabled={proof.trim() === ''}
            busy={verify.busy}
            busyLabel={t('stepUp.checking')}
            onCancel={verify.cancel}
          >
            {t('stepUp.confirm')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}
