import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useListAddress } from '../../components/address/use-list-address.ts'
import { Page } from '../../components/layout/page.tsx'
import { ChannelDrawer } from './channel-drawer.tsx'
import { ChannelList } from './list/channel-list.tsx'
import { channelArrangement, channelFilters } from './list/channel-view.ts'
import { MaintenanceMenu } from './maintenance/maintenance-menu.tsx'
import { MaintenanceNote } from './maintenance/maintenance-note.tsx'
import { useMaintenance } from './maintenance/use-maintenance.ts'

export function ChannelsPage() {
  const { t } = useTranslation()
  const address = useListAddress(channelFilters, channelArrangement)
  const maintenance = useMaintenance()

  return (
    <Page
      title={t('channels.title')}
      hint={t('channels.hint')}
      actions={
        <>
          <MaintenanceMenu maintenance={maintenance} />
          <Button leftSection={<IconPlus size={14} />} onClick={() => address.open('new')}>
            {t('channels.add')}
          </Button>
        </>
      }
    >
      <MaintenanceNote maintenance={maintenance} />
      <ChannelList live={maintenance.isTesting} address={address} />
      <ChannelDrawer opened={address.isOpen} channelId={address.openId} onClose={address.close} />
    </Page>
  )
}
