import { Anchor, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { splitFailure } from '../../components/forms/split-failure.ts'
import { useAction, useOperation } from '../../gateway/queries.ts'

interface PasswordStepProps {
  username: string
  /** The user is known: the password is asked for. */
  isAgain: boolean
  onUsername: (username: string) => void
  /** The password was right; the account also needs a code. */
  onNeedsCode: () => void
  onRegister: () => void
}

const labels = {
  username: 'login.username',
  password: 'login.password',
} as const

export function PasswordStep(props: PasswordStepProps) {
  const { username, isAgain, onUsername, onNeedsCode, onRegister } = props
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const status = useOperation('status.get', {})
  const login = useAction('session.login', ['user.self'])
  const { at, rest } = splitFailure(login.failure, labels, t)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const reply = await login.run({ username, password })
    if (reply && 'require_2fa' in reply.data) onNeedsCode()
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <TextInput
          label={t('login.username')}
          autoComplete="username"
          autoFocus={!isAgain}
          required
          withAsterisk={false}
          value={username}
          error={at.username}
          onChange={(event) => onUsername(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('login.password')}
          autoComplete="current-password"
          autoFocus={isAgain}
          required
          withAsterisk={false}
          value={password}
          error={at.password}
          aria-invalid={at.password !== undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <FailureNote failure={rest} />
        <ActionButton
          type="submit"
          fullWidth={!login.busy}
          mt={4}
          busy={login.busy}
          busyLabel={t('login.busy')}
          onCancel={login.cancel}
        >
          {t('login.submit')}
        </ActionButton>
        {status.data?.register_enabled && (
          <Text c="dimmed" ta="center">
            {t('login.noAccount')}{' '}
            <Anchor component="button" type="button" inherit onClick={onRegister}>
              {t('login.register')}
            </Anchor>
          </Text>
        )}
      </Stack>
    </form>
  )
}
