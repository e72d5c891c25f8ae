import { Anchor, Textarea } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { roles, useRole } from '../../../gateway/use-role.ts'
import type { ChannelFormPart } from './channel-fields.ts'
import styles from './channel-form.module.css'

/** Write-only. */
export function KeyField({ draft, set, at, preset, stored, isMoved }: ChannelFormPart) {
  const { t } = useTranslation()
  const isOwner = useRole() === roles.owner
  const needsKey = preset?.needs_key ?? true
  const moved = t(isOwner ? 'channelForm.keyMovedOwner' : 'channelForm.keyMoved')
  const hint = stored
    ? isMoved
      ? moved
      : stored.key_locked
        ? t('channelForm.keyLocked')
        : stored.key_unreadable
          ? undefined
          : stored.key_preview
            ? t('channelForm.keyKeep', { preview: stored.key_preview })
            : t(needsKey ? 'channelForm.keyNew' : 'channelForm.keyNotNeeded')
    : t(needsKey ? 'channelForm.keyNew' : 'channelForm.keyNotNeeded')
  const unreadable = stored?.key_unreadable && draft.key === '' && t('channelForm.keyAgain')

  return (
    <div className={styles.key}>
      <Textarea
        label={t('channelForm.key')}
        description={hint}
        autosize
        minRows={1}
        maxRows={5}
        spellCheck={false}
        autoComplete="off"
        // Keys are masked like passwords, one or several.
        classNames={{ input: styles.masked }}
        withAsterisk={isMoved && !isOwner}
        value={draft.key}
        error={at.key ?? unreadable}
        onChange={(event) => set({ key: event.currentTarget.value })}
      />
      {preset?.key_url && (
        <Anchor href={preset.key_url} target="_blank" rel="noreferrer" className={styles.keyPage}>
          {t('channelForm.keyPage')} <IconExternalLink size={12} aria-hidden />
        </Anchor>
      )}
    </div>
  )
}
