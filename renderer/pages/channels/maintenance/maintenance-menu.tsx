import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconChevronDown,
  IconPlugConnected,
  IconRoute,
  IconTrash,
  IconWallet,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../components/actions/confirm-dialog.tsx'
import { useAction, useOperation } from '../../../gateway/queries.ts'
import { channelQueries } from '../channel-queries.ts'
import type { Maintenance } from './use-maintenance.ts'

export function MaintenanceMenu({ maintenance }: { maintenance: Maintenance }) {
  const { t } = useTranslation()
  const [asking, question] = useDisclosure(false)
  const remove = useAction('channel.delete-disabled', channelQueries)
  const disabled = useOperation(
    'channel.search',
    { status: 'disabled', p: 1, page_size: 1 },
    { enabled: asking },
  )
  const count = disabled.data?.total ?? 0

  const confirmDelete = async () => {
    if (await remove.run({})) question.close()
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
          <Button
            variant="default"
            rightSection={<IconChevronDown size={14} />}
            disabled={maintenance.busyLabel !== null}
          >
            {t('channelMaintenance.menu')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPlugConnected size={14} />}
            onClick={() => void maintenance.testAll()}
          >
            {t('channelMaintenance.testAll')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconWallet size={14} />}
            onClick={() => void maintenance.updateBalances()}
          >
            {t('channelMaintenance.updateBalances')}
          </Menu.Item>
          <Menu.Item leftSection={<IconRoute size={14} />} onClick={() => void maintenance.fix()}>
            {t('channelMaintenance.fix')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={question.open}>
            {t('channelMaintenance.deleteDisabled')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asking && disabled.isFetchedAfterMount}
        title={t('channelMaintenance.deleteDisabled')}
        text={t(count === 0 ? 'channelMaintenance.noneDisabled' : 'channelMaintenance.deleteText', {
          count,
        })}
        verb={t('channelMaintenance.deleteDisabled')}
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
