import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Entrance } from '../../components/layout/entry-layout.tsx'
import { PasswordStep } from './password-step.tsx'
import { RegisterStep } from './register-step.tsx'
import { SecondStep } from './second-step.tsx'

type Step = 'password' | 'second' | 'register'

/** Reads that say the same to everybody, or that this page stands on. */
const keptReads: readonly unknown[] = ['setup.status', 'status.get', 'user.self']

/** Signs in: with a password, then with a code where the account asks for one; or makes an account. */
export function LoginPage() {
  const { t } = useTranslation()
  const [step, setStep] = useState<Step>('password')
  const [username, setUsername] = useState('')
  const queryClient = useQueryClient()

  // What one account has read is not for the eyes of the next.
  useEffect(() => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => !keptReads.includes(queryKey[0]) })
  }, [queryClient])

  if (step === 'second') {
    return (
      <Entrance title={t('login.secondTitle')} hint={t('login.secondHint', { name: username })}>
        <SecondStep onBack={() => setStep('password')} />
      </Entrance>
    )
  }
  if (step === 'register') {
    return (
      <Entrance title={t('login.registerTitle')} hint={t('login.registerHint')}>
        <RegisterStep
          onBack={() => setStep('password')}
          onNeedsPassword={(name) => {
            setUsername(name)
            setStep('password')
          }}
        />
      </Entrance>
    )
  }
  return (
    <Entrance title={t('login.title')} hint={t('login.hint')}>
      <PasswordStep
        username={username}
        onUsername={setUsername}
        onNeedsCode={() => setStep('second')}
        onRegister={() => setStep('register')}
      />
    </Entrance>
  )
}
