import { PasswordInput, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/action-button.tsx'
import { Entrance } from '../../components/entrance.tsx'
import { FailureNote } from '../../components/failure-note.tsx'
import { splitFailure } from '../../components/split-failure.ts'
import { useAction } from '../../gateway/queries.ts'

/** Signs the owner in; a refusal keeps what was typed. */
export function LoginPage() {
  const { t } = useTranslation()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const login = useAction('session.login', ['user.self'])
  const { at, rest } = splitFailure(login.failure, ['username', 'password'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void login.run({ username, password })
  }

  return (
    <Entrance title={t('login.title')} hint={t('login.hint')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t('login.username')}
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
            value={username}
            error={at.username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('login.password')}
            autoComplete="current-password"
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
        </Stack>
      </form>
    </Entrance>
  )
}
