import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { HealthBadge } from '../../../components/channel-health/health-badge.tsx'
import { HealthParts } from '../../../components/channel-health/health-parts.tsx'
import { Countdown } from '../../../components/format/countdown.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import { RecordName } from '../../../components/table/record-name.tsx'
import type { ChannelHealth, ChannelRecord } from '../../../gateway/records.ts'
import { useSentence } from '../../../i18n/use-sentence.ts'
import { statusNoteOf } from '../status-note.ts'
import styles from './channel-row.module.css'

const enabled = 1
const autoDisabled = 3

export function ChannelNameCell({
  channel,
  health,
  onOpen,
}: {
  channel: ChannelRecord
  health: ChannelHealth | undefined
  onOpen: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  const { id, name, tag, channel_info: info } = channel
  const isOff = channel.status === autoDisabled
  const note = isOff ? statusNoteOf(channel) : null
  const retestAt = (isOff && health?.retest_at) || null
  return (
    <>
      <RecordName id={id} name={name} idLabel={t('channels.channelId')} onOpen={onOpen}>
        {tag && (
          <Badge color="gray" aria-label={t('channels.tagged', { tag })}>
            {tag}
          </Badge>
        )}
        {info.is_multi_key && (
          <Badge color="gray">{t('channels.keyCount', { count: info.multi_key_size })}</Badge>
        )}
        {isOff && (
          <Badge color="orange" classNames={{ root: styles.badge, label: styles.badgeText }}>
            {t('channels.autoDisabled')}
          </Badge>
        )}
        {health && channel.status === enabled && (
          <HealthBadge health={health} lastTest={channel.last_test} />
        )}
        {channel.key_locked && <Badge color="orange">{t('channels.keyLocked')}</Badge>}
        {channel.key_unreadable && <Badge color="red">{t('channels.keyUnreadable')}</Badge>}
      </RecordName>
      {(note || retestAt) && (
        <Text className={styles.reason}>
          {note && say({ message: note.reason, reason: note.why })}
          {note && note.time > 0 && <span className={styles.when}>{format.time(note.time)}</span>}
          {retestAt && (
            <span className={styles.when}>
              {t('channelHealth.retest')} <Countdown until={retestAt} />
            </span>
          )}
        </Text>
      )}
      {health && channel.status === enabled && (
        <HealthParts health={health} lastTest={channel.last_test} />
      )}
    </>
  )
}
