import { Menu } from '@mantine/core'
import { IconCopyPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { RowMenu } from '../../components/row-menu.tsx'
import type { ChannelRecord } from '../../gateway/records.ts'

const reads = ['channel.search', 'channel.list', 'user.models'] as const

interface ChannelMenuProps {
  channel: ChannelRecord
  copying: boolean
  onCopy: () => void
  onEdit: () => void
}

/** Edit, duplicate, delete. */
export function ChannelMenu({ channel, copying, onCopy, onEdit }: ChannelMenuProps) {
  const { t } = useTranslation()
  const { id, name } = channel
  return (
    <RowMenu
      row={channel}
      deletes="channel.delete"
      reads={reads}
      title={t('channels.deleteTitle')}
      text={t('channels.deleteText', { name, id })}
      busy={copying}
      onEdit={onEdit}
    >
      <Menu.Item leftSection={<IconCopyPlus size={14} />} onClick={onCopy}>
        {t('channels.copyChannel')}
      </Menu.Item>
      <Menu.Divider />
    </RowMenu>
  )
}
