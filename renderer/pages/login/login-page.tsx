import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AboveAll } from '../../components/layout/above-all.tsx'
import { EntryLayout } from '../../components/layout/entry-layout.tsx'
import { isOfAccount } from '../../gateway/use-shown-account.ts'
import { PasswordStep } from './password-step.tsx'
import { RegisterStep } from './register-step.tsx'
import { SecondStep } from './second-step.tsx'

type Step = 'password' | 'second' | 'register'

interface LoginPageProps {
  /** Name of the user whose session has ended by itself. */
  endedOf?: string | undefined
  /** Edits of that user wait below. */
  keepsEdits: boolean
}

export function LoginPage(props: LoginPageProps) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  useEffect(() => {
    // Clears the data of the previous account; what lies below is read again once somebody has signed in.
    if (!props.keepsEdits) {
      queryClient.removeQueries({ predicate: isOfAccount })
      return
    }
    return () => void queryClient.invalidateQueries({ predicate: isOfAccount })
  }, [props.keepsEdits, queryClient])
  if (!props.keepsEdits) return <Login {...props} />
  return (
    <AboveAll label={t('login.title')}>
      <Login {...props} />
    </AboveAll>
  )
}

/** The password, then the second factor if the account has one, or registration. */
function Login({ endedOf, keepsEdits }: LoginPageProps) {
  const { t } = useTranslation()
  const [step, setStep] = useState<Step>('password')
  const [username, setUsername] = useState(endedOf ?? '')
  const hint = keepsEdits ? t('login.endedEdits', { name: endedOf }) : t('login.ended')

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
    <EntryLayout title={t('login.title')} hint={endedOf === undefined ? t('login.hint') : hint}>
      <PasswordStep
        username={username}
        isAgain={endedOf !== undefined}
        onUsername={setUsername}
        onNeedsCode={() => setStep('second')}
        onRegister={() => setStep('register')}
      />
    </EntryLayout>
  )
}
