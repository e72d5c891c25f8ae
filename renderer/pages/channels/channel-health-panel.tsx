import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { HealthBadge } from '../../components/channel-health/health-badge.tsx'
import { canReset } from '../../components/channel-health/health-facts.ts'
import { HealthParts } from '../../components/channel-health/health-parts.tsx'
import { useHealthById } from '../../components/channel-health/use-channel-health.ts'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { Countdown } from '../../components/format/countdown.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { useAction } from '../../gateway/queries.ts'
import type { ChannelHealth, ChannelRecord } from '../../gateway/records.ts'
import { channelQueries } from './channel-queries.ts'
import styles from './form/channel-form.module.css'

export function ChannelHealthPanel({ channel }: { channel: ChannelRecord }) {
  const { t } = useTranslation()
  const { id: channelId, last_test: lastTest } = channel
  const health = useHealthById().get(channelId)
  const reset = useAction('channel.reset-health', channelQueries)
  if (!health) return null
  return (
    <section className={styles.health} aria-label={t('channelHealth.title')}>
      <Group justify="space-between" gap={8} align="flex-start" wrap="nowrap">
        <div>
          <Group gap={8}>
            <Text fw={500}>{t('channelHealth.title')}</Text>
            <HealthBadge health={health} showHealthy lastTest={lastTest} />
          </Group>
          <Record health={health} />
        </div>
        {canReset(health) && (
          <ActionButton
            variant="default"
            size="compact-xs"
            flex="none"
            busy={reset.busy}
            busyLabel={t('channelHealth.resetting')}
            onCancel={reset.cancel}
            onClick={() => void reset.run({ id: channelId })}
          >
            {t('channelHealth.reset')}
          </ActionButton>
        )}
      </Group>
      <HealthParts health={health} whole lastTest={lastTest} />
      <FailureNote failure={reset.failure} />
    </section>
  )
}

function Record({ health }: { health: ChannelHealth }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { success_rate: rate, latency_ms: latency, calls, failures } = health
  const sentences = [
    rate === null
      ? t('channelHealth.notKnown')
      : t('channelHealth.rate', { share: format.percent(rate), calls: format.count(calls) }),
    latency !== null && t('channelHealth.latency', { time: format.duration(latency) }),
    failures > 0 && t('channelHealth.failures', { count: failures }),
    health.disable_failures > 0 && t('channelHealth.strikes', { count: health.disable_failures }),
  ]
  return (
    <Text c="dimmed" fz={12}>
      {sentences.filter(Boolean).join(' · ')}
      {health.retest_at !== null && (
        <>
          {' · '}
          {t('channelHealth.retest')} <Countdown until={health.retest_at} />
        </>
      )}
    </Text>
  )
}
