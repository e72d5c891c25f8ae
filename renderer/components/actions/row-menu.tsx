import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../gateway/queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface RowMenuProps {
  row: { id: number; name: string }
  deletes: 'channel.delete' | 'route.delete' | 'token.delete' | 'redemption.delete' | 'user.delete'
  reads: Parameters<typeof useAction>[1]
  title: string
  text: string
  busy?: boolean
  /** The signed-in user may not delete the row. */
  kept?: boolean
  onEdit: () => void
  /** Menu items between Edit and Delete. */
  children?: ReactNode
}

export function RowMenu(props: RowMenuProps) {
  const { row, deletes, reads, title, text, busy = false, kept = false, onEdit, children } = props
  const { t } = useTranslation()
  const [asking, question] = useDisclosure(false)
  const remove = useAction(deletes, reads)

  const confirmDelete = async () => {
    if (await remove.run({ id: row.id })) question.close()
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
          <ActionIcon aria-label={t('common.more', { name: row.name })} loading={busy}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={onEdit}>
            {t('common.edit')}
          </Menu.Item>
          {children}
          {!kept && (
            <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={question.open}>
              {t('common.delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asking}
        title={title}
        text={text}
        verb={title}
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
