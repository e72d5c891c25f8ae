import { useTranslation } from 'react-i18next'
import styles from './transcription.module.css'

/** Subtitles keep their lines and columns. */
export function TranscriptText({ text, isTimed }: { text: string; isTimed: boolean }) {
  const { t } = useTranslation()
  if (text.trim() === '') return <p className={styles.silent}>{t('tasks.silent')}</p>
  return (
    <div className={styles.transcript} data-timed={isTimed || undefined}>
      {text}
    </div>
  )
}
