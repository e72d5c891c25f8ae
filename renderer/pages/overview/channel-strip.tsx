import { Anchor, Badge, Button, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { HealthBadge } from '../../components/channel-health/health-badge.tsx'
import { worstFirst } from '../../components/channel-health/health-facts.ts'
import { useChannelHealth } from '../../components/channel-health/use-channel-health.ts'
import { useFormat } from '../../components/format/use-format.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { CutName } from '../../components/table/cut-name.tsx'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import type { ChannelHealth, ChannelRecord } from '../../gateway/records.ts'
import { useEvery } from '../../gateway/use-every.ts'
import { MinuteBars, type RecentCalls } from './minute-bars.tsx'
import styles from './overview.module.css'

const disabled = 2
const autoDisabled = 3
/** Channels that the strip has room for. */
const shownChannels = 8
/** Milliseconds; so that minutes move on without calls. */
const interval = 30_000

const sum = (counts: readonly number[] = []) => counts.reduce((total, count) => total + count, 0)

interface StripEntry {
  channel: ChannelRecord
  health: ChannelHealth | undefined
  counts: RecentCalls['channels'][number] | undefined
}

function worseOrBusier(one: StripEntry, other: StripEntry): number {
  const off = ({ channel }: StripEntry) => (channel.status === autoDisabled ? 1 : 0)
  const byHealth = one.health && other.health ? worstFirst(one.health, other.health) : 0
  const isWorse = byHealth !== 0 && one.health?.state !== other.health?.state
  return (
    off(other) - off(one) ||
    (isWorse ? byHealth : 0) ||
    sum(other.counts?.calls) - sum(one.counts?.calls) ||
    one.channel.id - other.channel.id
  )
}

/** The channels in use with their last minutes: those with problems first, then the busiest. */
export function ChannelStrip() {
  const { t } = useTranslation()
  const list = useEvery('channel.list')
  const recent = useOperation('channel.recent', {}, { refetchInterval: interval })
  const health = useChannelHealth({ refetchInterval: interval })
  useRefreshOn('calls', [['channel.recent']])
  useRefreshOn('server', [['channel.list']])

  const entries = useMemo(() => {
    const healthById = new Map((health.data ?? []).map((one) => [one.id, one]))
    const countsById = new Map((recent.data?.channels ?? []).map((one) => [one.id, one]))
    return (list.data ?? [])
      .filter(({ status }) => status !== disabled)
      .map((channel): StripEntry => {
        const { id } = channel
        return { channel, health: healthById.get(id), counts: countsById.get(id) }
      })
      .sort(worseOrBusier)
  }, [list.data, health.data, recent.data])

  if (!list.data || list.data.length === 0 || !recent.data) return null
  const shown = entries.slice(0, shownChannels)
  const more = list.data.length - shown.length
  const minutes = (recent.data.step / 60) * recent.data.steps
  return (
    <Panel
      title={t('overview.channels')}
      hint={t('overview.lastMinutes', { count: minutes })}
      actions={
        more > 0 && (
          <Button component={Link} href="/channels" variant="subtle" color="gray">
            {t('overview.moreChannels', { count: more })}
          </Button>
        )
      }
    >
      {shown.length === 0 ? (
        <Text c="dimmed">{t('overview.noneEnabled')}</Text>
      ) : (
        <ul className={styles.strip} aria-label={t('overview.channels')}>
          {shown.map((entry) => (
            <ChannelCell key={entry.channel.id} entry={entry} recent={recent.data} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function ChannelCell({ entry, recent }: { entry: StripEntry; recent: RecentCalls }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { channel, health, counts } = entry
  const calls = sum(counts?.calls)
  const errors = sum(counts?.errors)
  const words =
    calls === 0
      ? t('overview.noCallsOfLate')
      : errors === 0
        ? t('overview.callsOf', { count: calls, calls: format.count(calls) })
        : t('overview.callsFailed', {
            count: calls,
            ...{ calls: format.count(calls), errors: format.count(errors) },
          })
  return (
    <li className={styles.channel}>
      <CutName name={channel.name}>
        <Anchor
          component={Link}
          href={`/channels?open=${channel.id}`}
          className={styles.name}
          c="inherit"
        >
          {channel.name}
        </Anchor>
      </CutName>
      <MinuteBars recent={recent} counts={counts} />
      <span className={styles.note}>
        {words}
        {channel.status === autoDisabled ? (
          <Badge color="orange">{t('channelHealth.autoOff')}</Badge>
        ) : (
          health && <HealthBadge health={health} lastTest={channel.last_test} />
        )}
      </span>
    </li>
  )
}
