import { Group, Modal, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Select } from '../../../components/forms/option-lists.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { ActionsHead } from '../../../components/table/actions-head.tsx'
import { Pager } from '../../../components/table/pager.tsx'
import { usePageInRange } from '../../../components/table/use-page-in-range.ts'
import { useAction, useOperation } from '../../../gateway/queries.ts'
import type { ChannelRecord } from '../../../gateway/records.ts'
import { channelQueries } from '../channel-queries.ts'
import { type KeyStatus, keyPageOf } from './key-page.ts'
import { KeyRow } from './key-row.tsx'
import { KeysActions } from './keys-actions.tsx'

const pageSize = 20
const keyStatuses = [1, 2, 3] as const

interface KeysDialogProps {
  channel: ChannelRecord
  onClose: () => void
}

export function KeysDialog({ channel, onClose }: KeysDialogProps) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const [status, setStatus] = useState<KeyStatus | null>(null)
  const query = useOperation(
    'channel.multi-key',
    {
      channel_id: channel.id,
      action: 'get_key_status',
      page,
      page_size: pageSize,
      ...(status === null ? {} : { status }),
    },
    { keepPrevious: true },
  )
  const change = useAction('channel.multi-key', channelQueries)
  const list = keyPageOf(query.data)
  usePageInRange({ page, pageSize, total: list?.total }, setPage)

  return (
    <Modal
      opened
      onClose={onClose}
      size={720}
      title={t('channelKeys.title', { name: channel.name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <QueryView query={query} verb={t('channelKeys.loading')}>
        {(data) => {
          const keys = keyPageOf(data)
          if (!keys) return null
          return (
            <Stack gap="sm">
              <Group justify="space-between" gap={8}>
                <Text c="dimmed" role="status">
                  {t('channelKeys.counts', {
                    on: keys.enabled_count,
                    off: keys.manual_disabled_count,
                    auto: keys.auto_disabled_count,
                  })}
                </Text>
                <Select
                  w={190}
                  placeholder={t('channelKeys.anyState')}
                  aria-label={t('channelKeys.state')}
                  data={keyStatuses.map((state) => ({
                    value: String(state),
                    label: t(`channelKeys.state_${state}`),
                  }))}
                  value={status === null ? null : String(status)}
                  clearable
                  onChange={(chosen) => {
                    setStatus(keyStatuses.find((state) => String(state) === chosen) ?? null)
                    setPage(1)
                  }}
                />
              </Group>
              <FailureNote failure={change.failure} />
              <Panel flush>
                <Table>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th w={56}>{t('channels.status')}</Table.Th>
                      <Table.Th>{t('channelKeys.key')}</Table.Th>
                      <ActionsHead width={40} />
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {keys.keys.map((key) => (
                      <KeyRow
                        key={key.index}
                        channelId={channel.id}
                        entry={key}
                        isLast={
                          keys.enabled_count +
                            keys.manual_disabled_count +
                            keys.auto_disabled_count ===
                          1
                        }
                        change={change}
                      />
                    ))}
                  </Table.Tbody>
                </Table>
                {keys.keys.length === 0 && (
                  <Text c="dimmed" p="md">
                    {t('channelKeys.none')}
                  </Text>
                )}
                <Pager page={page} pageSize={pageSize} total={keys.total} onChange={setPage} />
              </Panel>
              <KeysActions channelId={channel.id} counts={keys} change={change} />
            </Stack>
          )
        }}
      </QueryView>
    </Modal>
  )
}
