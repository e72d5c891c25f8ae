import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useDesk, useDeskState } from '../use-desk.ts'
import styles from './composer.module.css'

interface ChatNotesProps {
  /** Index of a column with a parameter that can't be sent; -1 for none. */
  broken: number
}

/** Above the message: what happened that the user may want to take back or must know. */
export function ChatNotes({ broken }: ChatNotesProps) {
  const { t } = useTranslation()
  const desk = useDesk()
  const removed = useDeskState((state) => state.removed)
  const isCopy = useDeskState((state) => state.isCopy)
  const isUnsaved = useDeskState((state) => state.isUnsaved)
  const refused = useDeskState((state) => state.refusedFiles)
  return (
    <div role="status">
      {removed.length > 0 && (
        <div className={styles.note}>
          <span>{t('chat.removed', { count: removed.length })}</span>
          <Button size="compact-xs" variant="default" onClick={() => desk.putBack()}>
            {t('chat.putBack')}
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={() => desk.dismiss('removed')}>
            {t('chat.dismiss')}
          </Button>
        </div>
      )}
      {isCopy && (
        <div className={styles.note}>
          <span>{t('chat.isCopy')}</span>
          <Button size="compact-xs" variant="subtle" onClick={() => desk.dismiss('isCopy')}>
            {t('chat.dismiss')}
          </Button>
        </div>
      )}
      {isUnsaved && (
        <Text fz={12} c="var(--bad)">
          {t('chat.unsaved')}
        </Text>
      )}
      {refused.map(({ name, why }) => (
        <Text key={name} fz={12} c="var(--bad)">
          {t(`chat.file_${why}`, { name })}
        </Text>
      ))}
      {broken >= 0 && (
        <Text fz={12} c="var(--bad)">
          {t('chat.brokenSettings', { number: broken + 1 })}
        </Text>
      )}
    </div>
  )
}
