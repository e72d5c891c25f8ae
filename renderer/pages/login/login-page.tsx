import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EntryLayout } from '../../components/layout/entry-layout.tsx'
import { PasswordStep } from './password-step.tsx'
import { RegisterStep } from './register-step.tsx'
import { SecondStep } from './second-step.tsx'

type Step = 'password' | 'second' | 'register'

/** Reads that don't depend on the account. */
const keptReads: readonly unknown[] = ['setup.status', 'status.get', 'user.self']

/** The password, then the second factor if the account has one, or registration. */
export function LoginPage() {
  const { t } = useTranslation()
  const [step, setStep] = useState<Step>('password')
  const [username, setUsername] = useState('')
  const queryClient = useQueryClient()

  // Clears the data of the previous account.
  useEffect(() => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => !keptReads.includes(queryKey[0]) })
  }, [queryClient])

  if (step === 'second') {
    return (
      <EntryLayout title={t('login.secondTitle')} hint={t('login.secondHint', { name: username })}>
        <SecondStep onBack={() => setStep('password')} />
      </EntryLayout>
    )
  }
  if (step === 'register') {
    return (
      <EntryLayout title={t('login.registerTitle')} hint={t('login.registerHint')}>
        <RegisterStep
          onBack={() => setStep('password')}
          onNeedsPassword={(name) => {
            setUsername(name)
            setStep('password')
          }}
        />
      </EntryLayout>
    )
  }
  return (
    <EntryLayout title={t('login.title')} hint={t('login.hint')}>
      <PasswordStep
        username={username}
        onUsername={setUsername}
        onNeedsCode={() => setStep('second')}
        onRegister={() => setStep('register')}
      />
    </EntryLayout>
  )
}
