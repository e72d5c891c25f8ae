import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
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

/** Signing in without the app takes one, and switching the second factor off another. */
const FEW_CODES = 2

function FewCodes({ left, onContinue }: { left: number; onContinue: () => void }) {
  const { t } = useTranslation()
  return (
    <Stack gap="sm">
      <Alert color="yellow" role="alert" title={t('login.codesLeft', { count: left })}>
        {t(left === 0 ? 'login.noCodesText' : 'login.fewCodesText')}
      </Alert>
      <Button fullWidth autoFocus onClick={onContinue}>
        {t('login.continue')}
      </Button>
    </Stack>
  )
}

/** Takes a code of the authenticator app or a backup code. */
export function SecondStep({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [codesLeft, setCodesLeft] = useState<number | null>(null)
  const queryClient = useQueryClient()
  const login = useAction('session.login-2fa')
  const form = useFocusError(login.failure)
  const { at, rest } = splitFailure(login.failure, labels, t)
  const enter = () => void queryClient.invalidateQueries({ queryKey: ['user.self'] })
  const signIn = async () => {
    const reply = await login.run({ code: code.trim() })
    if (!reply) return
    const { backup_codes_left: left } = reply.data
    if (left !== undefined && left <= FEW_CODES) setCodesLeft(left)
    else enter()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void signIn()
  }
  if (codesLeft !== null) return <FewCodes left={codesLeft} onContinue={enter} />

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
