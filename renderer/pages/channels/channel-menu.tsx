import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCopyPlus, IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useAction } from '../../gateway/queries.ts'
import type { ChannelRecord } from '../../gateway/records.ts'

const reads = ['channel.search', 'channel.list', 'user.models'] as const

interface ChannelMenuProps {
  channel: ChannelRecord
  copying: boolean
  onCopy: () => void
  onEdit: () => void
}

/** What else can be done with a channel: edit, duplicate, delete after being asked. */
export function ChannelMenu({ channel, copying, onCopy, onEdit }: ChannelMenuProps) {
  const { t } = useTranslation()
  const [asking, question] = useDisclosure(false)
  const remove = useAction('channel.delete', reads)
  const { id, name } = channel

  const confirmDelete = async () => {
    if (await remove.run({ id })) question.close()
  }
  const close = () => {
    remove.cancel()
    remove.reset()
    question.close()
  }

  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon aria-label={t('common.more', { name })} loading={copying}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={onEdit}>
            {t('common.edit')}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopyPlus size={14} />} onClick={onCopy}>
            {t('channels.copyChannel')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={question.open}>
            {t('common.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asking}
        title={t('channels.deleteTitle')}
        text={t('channels.deleteText', { name, id })}
        verb={t('channels.deleteTitle')}
        busyLabel={t('common.deleting')}
        busy={remove.busy}
        failure={remove.failure}
        onConfirm={() => void confirmDelete()}
        onCancelRun={remove.cancel}
        onClose={close}
      />
    </>
  )
}
