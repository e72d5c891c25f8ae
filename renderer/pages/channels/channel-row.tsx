import { Badge, Button, Group, Switch, Table, Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordName } from '../../components/record-name.tsx'
import { useFormat } from '../../components/use-format.ts'
import { useAction } from '../../gateway/queries.ts'
import type { ChannelRecord } from '../../gateway/records.ts'
import { splitList } from './channel-draft.ts'
import { ChannelMenu } from './channel-menu.tsx'
import { ChannelOutcome, type PassedTest } from './channel-outcome.tsx'
import styles from './channel-row.module.css'

const enabled = 1
const disabled = 2
const autoDisabled = 3

/** One channel with its switch and test; what the vendor said in the test stands beneath. */
export function ChannelRow({ channel, onOpen }: { channel: ChannelRecord; onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const reads = ['channel.search', 'channel.list', 'channel.get', 'user.models'] as const
  const setStatus = useAction('channel.status', reads)
  const copy = useAction('channel.copy', reads)
  const test = useAction('channel.test', ['channel.search'])
  const [passed, setPassed] = useState<PassedTest | null>(null)
  const models = splitList(channel.models)

  const runTest = async () => {
    setPassed(null)
    const reply = await test.run({ id: channel.id })
    if (reply) setPassed({ time: Number(reply.extra.time) * 1000, message: reply.message })
  }

  return (
    <>
      <Table.Tr>
        <Table.Td>
          <Switch
            checked={channel.status === enabled}
            disabled={setStatus.busy}
            onChange={(event) =>
              void setStatus.run({
                id: channel.id,
                status: event.currentTarget.checked ? enabled : disabled,
              })
            }
            aria-label={t('channels.toggle', { name: channel.name })}
          />
        </Table.Td>
        <Table.Td>
          <RecordName
            id={channel.id}
            name={channel.name}
            idLabel={t('channels.channelId')}
            onOpen={onOpen}
          >
            {channel.status === autoDisabled && (
              <Badge color="orange">{t('channels.autoDisabled')}</Badge>
            )}
            {channel.key_unreadable && <Badge color="red">{t('channels.keyUnreadable')}</Badge>}
          </RecordName>
        </Table.Td>
        <Table.Td className="wide-only">
          <Tooltip label={models.slice(0, 12).join(', ')} multiline maw={360}>
            <Text span className={styles.models}>
              <span className={styles.count}>
                {t('channels.modelCount', { count: models.length })}
              </span>
              <span className="mono">{models.slice(0, 3).join(', ')}</span>
            </Text>
          </Tooltip>
        </Table.Td>
        <Table.Td className="numeric wide-only">
          {channel.priority ?? 0} / {channel.weight ?? 0}
        </Table.Td>
        <Table.Td className="numeric wide-only">
          {channel.test_time ? (
            <Tooltip label={format.fullTime(channel.test_time)}>
              <span>{format.duration(channel.response_time)}</span>
            </Tooltip>
          ) : (
            <Text span c="dimmed">
              {t('channels.notTested')}
            </Text>
          )}
        </Table.Td>
        <Table.Td>
          <Group gap={4} wrap="nowrap" justify="flex-end">
            <Button
              variant="default"
              size="compact-xs"
              disabled={test.busy}
              onClick={() => void runTest()}
              aria-label={t('channels.testChannel', { name: channel.name })}
            >
              {t('channels.test')}
            </Button>
            <ChannelMenu
              channel={channel}
              copying={copy.busy}
              onCopy={() => void copy.run({ id: channel.id, suffix: t('channels.copySuffix') })}
              onEdit={onOpen}
            />
          </Group>
        </Table.Td>
      </Table.Tr>
      <ChannelOutcome
        testing={test.busy}
        onCancel={test.cancel}
        passed={passed}
        failure={test.failure ?? setStatus.failure ?? copy.failure}
        onClose={() => {
          setPassed(null)
          test.reset()
          setStatus.reset()
          copy.reset()
        }}
      />
    </>
  )
}
