import { Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCopyPlus, IconEye, IconKey, IconRefresh, IconWallet } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RowMenu } from '../../../components/actions/row-menu.tsx'
import { useAction } from '../../../gateway/queries.ts'
import type { ChannelRecord } from '../../../gateway/records.ts'
import { roles, useRole } from '../../../gateway/use-role.ts'
import { channelQueries } from '../channel-queries.ts'
import { ChannelKeyDialog } from '../keys/channel-key-dialog.tsx'
import { KeysDialog } from '../keys/keys-dialog.tsx'

/** Closing forgets the key. */
function useRevealedKey(id: number) {
  const reveal = useAction('channel.key')
  const [isOpen, setOpen] = useState(false)
  const [key, setKey] = useState<string | null>(null)
  const show = async () => {
    setOpen(true)
    const reply = await reveal.run({ id })
    if (reply) setKey(reply.data.key)
  }
  const close = () => {
    reveal.cancel()
    reveal.reset()
    setKey(null)
    setOpen(false)
  }
  return { isOpen, key, busy: reveal.busy, failure: reveal.failure, show, close }
}

interface ChannelMenuProps {
  channel: ChannelRecord
  busy: boolean
  onCopy: () => void
  onBalance: () => void
  /** Absent when there is nothing to reset. */
  onTryAgain?: () => void
  onEdit: () => void
}

export function ChannelMenu(props: ChannelMenuProps) {
  const { channel, busy, onCopy, onBalance, onTryAgain, onEdit } = props
  const { t } = useTranslation()
  const isOwner = useRole() === roles.owner
  const [keysOpened, keys] = useDisclosure(false)
  const revealed = useRevealedKey(channel.id)
  const { id, name } = channel
  return (
    <>
      <RowMenu
        row={channel}
        deletes="channel.delete"
        reads={channelQueries}
        title={t('channels.deleteTitle')}
        text={t('channels.deleteText', { name, id })}
        busy={busy}
        onEdit={onEdit}
      >
        {channel.channel_info.is_multi_key && (
          <Menu.Item leftSection={<IconKey size={14} />} onClick={keys.open}>
            {t('channelKeys.manage')}
          </Menu.Item>
        )}
        {isOwner && channel.key_preview !== '' && (
          <Menu.Item leftSection={<IconEye size={14} />} onClick={() => void revealed.show()}>
            {t('channelKeys.show')}
          </Menu.Item>
        )}
        {onTryAgain && (
          <Menu.Item leftSection={<IconRefresh size={14} />} onClick={onTryAgain}>
            {t('channelHealth.reset')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconWallet size={14} />} onClick={onBalance}>
          {t('channels.updateBalance')}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopyPlus size={14} />} onClick={onCopy}>
          {t('channels.copyChannel')}
        </Menu.Item>
        <Menu.Divider />
      </RowMenu>
      {keysOpened && <KeysDialog channel={channel} onClose={keys.close} />}
      {revealed.isOpen && (
        <ChannelKeyDialog
          channel={channel}
          channelKey={revealed.key}
          busy={revealed.busy}
          failure={revealed.failure}
          onShow={() => void revealed.show()}
          onClose={revealed.close}
        />
      )}
    </>
  )
}
