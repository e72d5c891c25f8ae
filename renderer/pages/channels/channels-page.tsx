import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { Page } from '../../components/layout/page.tsx'
import { ChannelDrawer } from './channel-drawer.tsx'
import { ChannelList } from './list/channel-list.tsx'
import { UpkeepMenu } from './maintenance/maintenance-menu.tsx'
import { UpkeepNote } from './maintenance/maintenance-note.tsx'
import { useUpkeep } from './maintenance/use-maintenance.ts'

/** `?new=1` and `?open=<id>` open the drawer. */
export function ChannelsPage() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const upkeep = useUpkeep()
  const openId = Number(params.get('open')) || null
  const open = (id: number | 'new') => setParams(id === 'new' ? { new: '1' } : { open: String(id) })
  const close = () => setParams({}, { replace: true })

  return (
    <Page
      title={t('channels.title')}
      hint={t('channels.hint')}
      actions={
        <>
          <UpkeepMenu upkeep={upkeep} />
          <Button leftSection={<IconPlus size={14} />} onClick={() => open('new')}>
            {t('channels.add')}
          </Button>
        </>
      }
    >
      <UpkeepNote upkeep={upkeep} />
      <ChannelList live={upkeep.isTesting} onOpen={open} />
      <ChannelDrawer
        opened={openId !== null || params.has('new')}
        channelId={openId}
        onClose={close}
      />
    </Page>
  )
}
