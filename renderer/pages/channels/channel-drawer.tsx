import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { FormDrawer } from '../../components/leaving/form-drawer.tsx'
import { useOperation } from '../../gateway/queries.ts'
import { ChannelHealthPanel } from './channel-health-panel.tsx'
import { ChannelForm } from './form/channel-form.tsx'
import { NewChannel } from './form/new-channel.tsx'

interface ChannelDrawerProps {
  opened: boolean
  /** Null for a new channel. */
  channelId: number | null
  onClose: () => void
}

export function ChannelDrawer({ opened, channelId, onClose }: ChannelDrawerProps) {
  const { t } = useTranslation()
  const [isStepUp, setStepUp] = useState(false)
  const isStored = channelId !== null
  const channel = useOperation(
    'channel.get',
    { id: channelId ?? 0 },
    { enabled: isStored, forget: true },
  )
  const title = isStored
    ? t('channelForm.editTitle', { name: channel.data?.name ?? `#${channelId}` })
    : t('channelForm.addTitle')

  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      size={560}
      title={title}
      // Esc closes only the dialog above, so that the form isn't lost.
      closeOnEscape={!isStepUp}
    >
      {isStored ? (
        <QueryView query={channel} verb={t('channelForm.loading')}>
          {(record) => (
            <>
              <ChannelHealthPanel channel={record} />
              <ChannelForm key={record.id} stored={record} onDone={onClose} onStepUp={setStepUp} />
            </>
          )}
        </QueryView>
      ) : (
        opened && <NewChannel onDone={onClose} />
      )}
    </FormDrawer>
  )
}
