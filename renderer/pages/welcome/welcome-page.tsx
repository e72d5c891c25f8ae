import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { EntryLayout } from '../../components/layout/entry-layout.tsx'
import { useOperation } from '../../gateway/queries.ts'
import type { PassedCheck } from '../channels/form/channel-form.tsx'
import { ChannelStep } from './channel-step.tsx'
import { OwnerStep } from './owner-step.tsx'
import { ToolsStep } from './tools-step.tsx'
import styles from './welcome.module.css'

/** Starts at the first step that isn't done. */
export function WelcomePage() {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [skipped, setSkipped] = useState(false)
  const [passed, setPassed] = useState<PassedCheck | null>(null)
  const setup = useOperation('setup.status', {})
  const isSetUp = setup.data?.status === true
  const channels = useOperation('channel.list', { p: 1, page_size: 1 }, { enabled: isSetUp })
  const hasChannel = skipped || (channels.data?.total ?? 0) > 0
  const step = !isSetUp ? 0 : !hasChannel ? 1 : 2

  return (
    <EntryLayout wide title={t('welcome.title')} hint={t('welcome.hint')}>
      <Stepper
        current={step}
        names={[t('welcome.ownerStep'), t('welcome.channelStep'), t('welcome.tokenStep')]}
      />
      {!isSetUp ? (
        <OwnerStep onDone={() => navigate('/welcome', { replace: true })} />
      ) : (
        <QueryView query={channels} verb={t('channels.loading')}>
          {() =>
            hasChannel ? (
              <ToolsStep passed={passed} />
            ) : (
              <ChannelStep onSkip={() => setSkipped(true)} onChecked={setPassed} />
            )
          }
        </QueryView>
      )}
    </EntryLayout>
  )
}

function Stepper({ current, names }: { current: number; names: readonly string[] }) {
  const { t } = useTranslation()
  return (
    <ol className={styles.trail} aria-label={t('welcome.steps')}>
      {names.map((name, index) => (
        <li
          key={name}
          data-done={index < current || undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          <span className={styles.number} aria-hidden>
            {index < current ? <IconCheck size={13} stroke={2.5} /> : index + 1}
          </span>
          {name}
        </li>
      ))}
    </ol>
  )
}
