import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDrawer } from '../../../components/leaving/form-drawer.tsx'
import type { ChannelRecord } from '../../../gateway/records.ts'
import { TagForm } from './tag-form.tsx'

interface TagDrawerProps {
  /** Null while closed. */
  tag: string | null
  channels: readonly ChannelRecord[]
  onClose: () => void
}

export function TagDrawer({ tag, channels, onClose }: TagDrawerProps) {
  const { t } = useTranslation()
  const [isStepUp, setStepUp] = useState(false)
  return (
    <FormDrawer
      opened={tag !== null}
      onClose={onClose}
      size={520}
      title={t('channelTags.editTitle', { tag: tag ?? '' })}
      // Esc closes only the dialog above, so that the form isn't lost.
      closeOnEscape={!isStepUp}
    >
      {tag !== null && (
        <TagForm key={tag} tag={tag} channels={channels} onDone={onClose} onStepUp={setStepUp} />
      )}
    </FormDrawer>
  )
}
