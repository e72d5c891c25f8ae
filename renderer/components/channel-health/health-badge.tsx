import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ChannelHealth, ChannelRecord } from '../../gateway/records.ts'
import { Tip } from '../feedback/tip.tsx'
import { Countdown } from '../format/countdown.tsx'
import styles from './health-badge.module.css'
import { failedTest, wordFor, worstOf } from './health-facts.ts'

interface HealthBadgeProps {
  health: ChannelHealth
  /** Also shows a badge when the channel is healthy. */
  showHealthy?: boolean
  lastTest?: ChannelRecord['last_test'] | undefined
}

export function HealthBadge({ health, showHealthy = false, lastTest }: HealthBadgeProps) {
  const { t } = useTranslation()
  const worst = worstOf(health)
  const failed = failedTest(health, lastTest)
  if (failed) return <Badge color="orange">{t('channelHealth.testFailed')}</Badge>
  if (!worst)
    return showHealthy ? <Badge color="green">{t('channelHealth.state_closed')}</Badge> : null
  const { state, until, reason, isPart } = worst
  const word = wordFor(worst)
  const words = t(isPart ? `channelHealth.part_${word}` : `channelHealth.state_${word}`)
  const badge = (
    <Badge
      color={state === 'open' ? 'orange' : 'gray'}
      classNames={{ root: styles.badge, label: styles.text }}
    >
      {words}
      {state === 'open' && until !== null && (
        <>
          {' · '}
          <Countdown until={until} />
        </>
      )}
    </Badge>
  )
  return reason ? (
    <Tip label={reason} multiline maw={360}>
      {badge}
    </Tip>
  ) : (
    badge
  )
}
