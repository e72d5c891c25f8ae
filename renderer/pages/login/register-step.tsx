import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { splitFailure } from '../../components/forms/split-failure.ts'
import { useFocusError } from '../../components/forms/use-focus-error.ts'
import { useTextLimit } from '../../components/forms/use-text-limit.ts'
import { useAction } from '../../gateway/queries.ts'

interface RegisterStepProps {
  onBack: () => void
  /** The account was created, but signing in failed. */
  onNeedsPassword: (username: string) => void
}

const longestName = 20

const labels = {
  username: 'login.username',
  password: 'login.newPassword',
} as const

export function RegisterStep({ onBack, onNeedsPassword }: RegisterStepProps) {
  const { t } = useTranslation()
  const limited = useTextLimit()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const register = useAction('user.register')
  const login = useAction('session.login', ['user.self'])
  const form = useFocusError(register.failure)
  const { at, rest } = splitFailure(register.failure, labels, t)
  const differs = repeated !== '' && repeated !== password
  const busy = register.busy || login.busy

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const name = username.trim()
    if (!(await register.run({ username: name, password }))) return
    if (!(await login.run({ username: name, password }))) onNeedsPassword(name)
  }

  const passwordField = (
    label: string,
    value: string,
    error: string | false | undefined,
    onChange: (value: string) => void,
  ) => (
    <PasswordInput
      label={label}
      autoComplete="new-password"
      required
      withAsterisk={false}
      value={value}
      error={error}
      aria-invalid={Boolean(error)}
      visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )

  return (
    <form ref={form} onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <TextInput
          label={t('login.username')}
          autoComplete="username"
          autoFocus
          required
          withAsterisk={false}
          value={username}
          {...limited(username, longestName, { error: at.username })}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        {passwordField(t('login.newPassword'), password, at.password, setPassword)}
        {passwordField(
          t('login.repeatPassword'),
          repeated,
          differs && t('common.passwordsDiffer'),
          setRepeated,
        )}
        <FailureNote failure={rest} />
        <ActionButton
          type="submit"
          fullWidth={!busy}
          mt={4}
          disabled={repeated !== password}
          busy={busy}
          busyLabel={t('login.registering')}
          onCancel={() => {
            register.cancel()
            login.cancel()
          }}
        >
          {t('login.register')}
        </ActionButton>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconArrowLeft size={14} />}
          onClick={onBack}
        >
          {t('login.haveAccount')}
        </Button>
      </Stack>
    </form>
  )
}
