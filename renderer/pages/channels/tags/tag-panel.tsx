import { Button, Group } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Busy } from '../../../components/feedback/busy.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import type { RowSelection } from '../../../components/selection/use-row-selection.ts'
import { useAction } from '../../../gateway/queries.ts'
import type { ChannelRecord } from '../../../gateway/records.ts'
import { channelQueries } from '../channel-queries.ts'
import { ChannelTable } from '../list/channel-table.tsx'
import type { ChannelTests } from '../list/use-channel-tests.ts'

const enabled = 1

interface TagPanelProps {
  /** Empty for channels without a tag. */
  tag: string
  channels: readonly ChannelRecord[]
  selection: RowSelection
  tests: ChannelTests
  onOpen: (id: number) => void
  onEdit: () => void
}

export function TagPanel({ tag, channels, selection, tests, onOpen, onEdit }: TagPanelProps) {
  const { t } = useTranslation()
  const enable = useAction('channel.tag-enable', channelQueries)
  const disable = useAction('channel.tag-disable', channelQueries)
  const on = channels.filter(({ status }) => status === enabled).length
  const busy = enable.busy || disable.busy
  const cancel = () => {
    enable.cancel()
    disable.cancel()
  }
  return (
    <>
      <FailureNote failure={enable.failure ?? disable.failure} />
      <Panel
        flush
        title={tag || t('channelTags.none')}
        hint={t('overview.channelsOn', { on, all: channels.length })}
        actions={
          tag !== '' && (
            <Group gap={6}>
              {busy ? (
                <Busy label={t('channelBulk.changing')} onCancel={cancel} />
              ) : (
                <>
                  <Button
                    variant="default"
                    disabled={on === channels.length}
                    onClick={() => void enable.run({ tag })}
                    aria-label={t('channelTags.enableTag', { tag })}
                  >
                    {t('channelBulk.enable')}
                  </Button>
                  <Button
                    variant="default"
                    disabled={on === 0}
                    onClick={() => void disable.run({ tag })}
                    aria-label={t('channelTags.disableTag', { tag })}
                  >
                    {t('channelBulk.disable')}
                  </Button>
                </>
              )}
              <Button
                variant="default"
                leftSection={<IconPencil size={14} />}
                onClick={onEdit}
                aria-label={t('channelTags.editTag', { tag })}
              >
                {t('common.edit')}
              </Button>
            </Group>
          )
        }
      >
        <ChannelTable
          channels={channels}
          selection={selection}
          tests={tests}
          withSelectAll={false}
          onOpen={onOpen}
        />
      </Panel>
    </>
  )
}
