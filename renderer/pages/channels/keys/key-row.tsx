import { ActionIcon, Switch, Table, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../components/actions/confirm-dialog.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import type { Action } from '../../../gateway/queries.ts'
import { useSentence } from '../../../i18n/use-sentence.ts'
import type { KeyEntry } from './key-page.ts'

const enabled = 1
const autoDisabled = 3

interface KeyRowProps {
  channelId: number
  entry: KeyEntry
  /** The last key can't be deleted. */
  isLast: boolean
  change: Action<'channel.multi-key'>
}

export function KeyRow({ channelId, entry, isLast, change }: KeyRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  const [asking, question] = useDisclosure(false)
  const { index, status, key_preview: preview, reason, why, disabled_time: time } = entry
  const name = `#${index + 1} ${preview}`
  const run = (action: 'enable_key' | 'disable_key' | 'delete_key') =>
    change.run({ channel_id: channelId, action, key_index: index, key_preview: preview })

  const confirmDelete = async () => {
    if (await run('delete_key')) question.close()
  }
  return (
    <Table.Tr>
      <Table.Td>
        <Switch
          checked={status === enabled}
          disabled={change.busy}
          onChange={(event) => void run(event.currentTarget.checked ? 'enable_key' : 'disable_key')}
          aria-label={t('channelKeys.toggle', { name })}
        />
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text span c="dimmed" mr={8}>
          #{index + 1}
        </Text>
        <span className="mono">{preview}</span>
        {status !== enabled && (
          <Text fz={12} c={status === autoDisabled ? 'var(--warn)' : 'dimmed'}>
            {reason ? say({ message: reason, reason: why }) : t(`channelKeys.state_${status}`)}
            {time ? (
              <Text span c="dimmed" fz={12} ml={8}>
                {format.time(time)}
              </Text>
            ) : null}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Tooltip label={t(isLast ? 'channelKeys.lastStays' : 'channelKeys.delete', { name })}>
          <ActionIcon
            disabled={isLast || change.busy}
            onClick={question.open}
            aria-label={t('channelKeys.delete', { name })}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Tooltip>
        <ConfirmDialog
          opened={asking}
          title={t('channelKeys.deleteTitle')}
          text={t('channelKeys.deleteText', { name })}
          verb={t('channelKeys.deleteTitle')}
          busyLabel={t('common.deleting')}
          busy={change.busy}
          failure={change.failure}
          onConfirm={() => void confirmDelete()}
          onCancelRun={change.cancel}
          onClose={question.close}
        />
      </Table.Td>
    </Table.Tr>
  )
}
