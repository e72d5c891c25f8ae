import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useAction } from '../../gateway/queries.ts'
import type { TokenRecord } from '../../gateway/records.ts'

/** Edit, and delete after being asked. */
export function TokenMenu({ token, onEdit }: { token: TokenRecord; onEdit: () => void }) {
  const { t } = useTranslation()
  const [asking, question] = useDisclosure(false)
  const remove = useAction('token.delete', ['token.list'])
  const { id, name } = token

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
          <ActionIcon aria-label={t('common.more', { name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={onEdit}>
            {t('common.edit')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={question.open}>
            {t('common.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asking}
        title={t('tokens.deleteTitle')}
        text={t('tokens.deleteText', { name, id })}
        verb={t('tokens.deleteTitle')}
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
