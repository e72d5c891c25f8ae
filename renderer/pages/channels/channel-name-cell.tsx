import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { RecordName } from '../../components/record-name.tsx'
import { useFormat } from '../../components/use-format.ts'
import type { ChannelRecord } from '../../gateway/records.ts'
import styles from './channel-row.module.css'
import { statusNoteOf } from './status-note.ts'

const autoDisabled = 3

/** A channel's name with its tag and keys, and why the gateway switched it off, if it did. */
export function ChannelNameCell({
  channel,
  onOpen,
}: {
  channel: ChannelRecord
  onOpen: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, name, tag, channel_info: info } = channel
  const isOff = channel.status === autoDisabled
  const note = isOff ? statusNoteOf(channel) : null
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
        {channel.key_unreadable && <Badge color="red">{t('channels.keyUnreadable')}</Badge>}
      </RecordName>
      {note && (
        <Text className={styles.reason}>
          {note.reason}
          {note.time > 0 && <span className={styles.when}>{format.time(note.time)}</span>}
        </Text>
      )}
    </>
  )
}
