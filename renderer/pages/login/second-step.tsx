import { Button, Stack, TextInput } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { splitFailure } from '../../components/forms/split-failure.ts'
import { useFocusError } from '../../components/forms/use-focus-error.ts'
import { useAction } from '../../gateway/queries.ts'

const labels = {
  code: 'login.code',
} as const

/** Takes a code of the authenticator app or a backup code. */
export function SecondStep({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const login = useAction('session.login-2fa', ['user.self'])
  const form = useFocusError(login.failure)
  const { at, rest } = splitFailure(login.failure, labels, t)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void login.run({ code: code.trim() })
  }

  return (
    <form ref={form} onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t('login.code')}
          description={t('login.codeHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          required
          withAsterisk={false}
          classNames={{ input: 'mono' }}
          value={code}
          error={at.code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <FailureNote failure={rest} />
        <ActionButton
          type="submit"
          fullWidth={!login.busy}
          mt={4}
          busy={login.busy}
          busyLabel={t('login.checkingCode')}
          onCancel={login.cancel}
        >
          {t('login.submit')}
        </ActionButton>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconArrowLeft size={14} />}
          onClick={onBack}
        >
          {t('login.otherAccount')}
        </Button>
      </Stack>
    </form>
  )
}
