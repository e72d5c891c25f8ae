import { Drawer } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChannelRecord } from '../../../gateway/records.ts'
import { TagForm } from './tag-form.tsx'

interface TagDrawerProps {
  /** null while none is edited. */
  tag: string | null
  channels: readonly ChannelRecord[]
  onClose: () => void
}

/** The form of a tag at the side of the list. */
export function TagDrawer({ tag, channels, onClose }: TagDrawerProps) {
  const { t } = useTranslation()
  const [isStepUp, setStepUp] = useState(false)
  return (
    <Drawer
      opened={tag !== null}
      onClose={onClose}
      size={520}
      title={t('channelTags.editTitle', { tag: tag ?? '' })}
      closeOnClickOutside={false}
      // Esc closes the dialog above it only: what was typed stays.
      closeOnEscape={!isStepUp}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {tag !== null && (
        <TagForm key={tag} tag={tag} channels={channels} onDone={onClose} onStepUp={setStepUp} />
      )}
    </Drawer>
  )
}
