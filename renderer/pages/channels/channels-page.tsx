import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { Page } from '../../components/layout/page.tsx'
import { ChannelDrawer } from './channel-drawer.tsx'
import { ChannelList } from './list/channel-list.tsx'
import { MaintenanceMenu } from './maintenance/maintenance-menu.tsx'
import { MaintenanceNote } from './maintenance/maintenance-note.tsx'
import { useMaintenance } from './maintenance/use-maintenance.ts'

/** `?new=1` and `?open=<id>` open the drawer. */
export function ChannelsPage() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const maintenance = useMaintenance()
  const openId = Number(params.get('open')) || null
  const open = (id: number | 'new') => setParams(id === 'new' ? { new: '1' } : { open: String(id) })
  const close = () => setParams({}, { replace: true })

  return (
    <Page
      title={t('channels.title')}
      hint={t('channels.hint')}
      actions={
        <>
          <MaintenanceMenu maintenance={maintenance} />
          <Button leftSection={<IconPlus size={14} />} onClick={() => open('new')}>
            {t('channels.add')}
          </Button>
        </>
      }
    >
      <MaintenanceNote maintenance={maintenance} />
      <ChannelList live={maintenance.isTesting} onOpen={open} />
      <ChannelDrawer
        opened={openId !== null || params.has('new')}
        channelId={openId}
        onClose={close}
      />
    </Page>
  )
}
