import { Group, PasswordInput, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { splitFailure } from '../../components/forms/split-failure.ts'
import { useFocusError } from '../../components/forms/use-focus-error.ts'
import { useTextLimit } from '../../components/forms/use-text-limit.ts'
import { useUnsaved } from '../../components/leaving/use-unsaved.ts'
import { useGateway } from '../../gateway/gateway-context.ts'
import { useAction } from '../../gateway/queries.ts'

const longestName = 12

const labels = {
  username: 'welcome.username',
  password: 'welcome.password',
  confirmPassword: 'welcome.confirmPassword',
} as const

/** In the desktop the password is optional. */
export function OwnerStep({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const limited = useTextLimit()
  const isDesktop = useGateway().transport === 'ipc'
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [confirmPassword, setConfirmPassword] = useState('')
  // Until there is an owner, every path of the console shows this form.
  useUnsaved(
    [username, password, confirmPassword].some((text) => text !== ''),
    true,
  )
  const setup = useAction('setup.run', ['setup.status', 'user.self'])
  const form = useFocusError(setup.failure)
  const { at, rest } = splitFailure(setup.failure, labels, t)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const reply = await setup.run({
      username: username.trim(),
      password,
      confirmPassword,
      SelfUseModeEnabled: true,
    })
    if (reply) onDone()
  }

  return (
    <form ref={form} onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <div>
          <Title order={2}>{t('welcome.ownerTitle')}</Title>
          <Text c="dimmed">{t(isDesktop ? 'welcome.ownerHintDesktop' : 'welcome.ownerHint')}</Text>
        </div>
        <TextInput
          label={t('welcome.username')}
          autoComplete="username"
          autoFocus
          value={username}
          {...limited(username, longestName, { error: at.username })}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <PasswordInput
            label={t(isDesktop ? 'welcome.passwordOptional' : 'welcome.password')}
            description={t('welcome.passwordHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="new-password"
            value={password}
            error={at.password}
            aria-invalid={at.password !== undefined}
            visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('welcome.confirmPassword')}
            autoComplete="new-password"
            value={confirmPassword}
            error={at.confirmPassword}
            aria-invalid={at.confirmPassword !== undefined}
            visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
            onChange={(event) => setConfirmPassword(event.currentTarget.value)}
          />
        </SimpleGrid>
        <FailureNote failure={rest} />
        <Group justify="flex-end">
          <ActionButton
            type="submit"
            busy={setup.busy}
            busyLabel={t('welcome.creating')}
            onCancel={setup.cancel}
          >
            {t('welcome.create')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}
