import { Alert, Group, PasswordInput, SimpleGrid, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { splitFailure } from '../../components/forms/split-failure.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { useUnsaved } from '../../components/leaving/use-unsaved.ts'
import { useAction, useOperation } from '../../gateway/queries.ts'

const nothing = { original: '', next: '', repeated: '' }

const labels = {
  original_password: 'settings.currentPassword',
  password: 'settings.newPassword',
} as const

export function PasswordForm() {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(nothing)
  useUnsaved(Object.values(typed).some((text) => text !== ''))
  const [done, setDone] = useState(false)
  const self = useOperation('user.self', {})
  const update = useAction('user.update-self', ['user.self', 'session.list'])
  const { at, rest } = splitFailure(update.failure, labels, t)
  const hasPassword = self.data?.has_password ?? true
  const differs = typed.repeated !== '' && typed.next !== typed.repeated
  const set = (fields: Partial<typeof nothing>) => {
    setTyped((current) => ({ ...current, ...fields }))
    setDone(false)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const reply = await update.run({
      password: typed.next,
      ...(hasPassword ? { original_password: typed.original } : {}),
    })
    if (!reply) return
    setTyped(nothing)
    setDone(true)
  }

  const field = (name: keyof typeof nothing, label: string, error: string | false | undefined) => (
    <PasswordInput
      label={label}
      autoComplete={name === 'original' ? 'current-password' : 'new-password'}
      value={typed[name]}
      error={error}
      aria-invalid={Boolean(error)}
      visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )

  return (
    <Panel
      title={t('settings.changePassword')}
      hint={t(hasPassword ? 'settings.changePasswordHint' : 'settings.noPasswordHint')}
    >
      <form onSubmit={(event) => void submit(event)}>
        {/* Tells a password manager whose password it is. */}
        <input type="hidden" autoComplete="username" value={self.data?.username ?? ''} readOnly />
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
            {hasPassword && field('original', t('settings.currentPassword'), at.original_password)}
            {field('next', t('settings.newPassword'), at.password)}
            {field(
              'repeated',
              t('settings.repeatPassword'),
              differs && t('common.passwordsDiffer'),
            )}
          </SimpleGrid>
          <FailureNote failure={rest} />
          {done && (
            <Alert color="green" role="status">
              {t('settings.passwordSet')}
            </Alert>
          )}
          <Group>
            <ActionButton
              type="submit"
              disabled={
                typed.next === '' ||
                typed.next !== typed.repeated ||
                (hasPassword && typed.original === '')
              }
              busy={update.busy}
              busyLabel={t('settings.settingPassword')}
              onCancel={update.cancel}
            >
              {t('settings.setPassword')}
            </ActionButton>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}
