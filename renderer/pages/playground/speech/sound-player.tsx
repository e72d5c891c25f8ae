import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useObjectUrl } from '../run/use-object-url.ts'
import styles from './speech.module.css'
import type { Sound } from './speech-task.ts'

/** Says so when this browser can't play the format. */
export function SoundPlayer({ blob, extension }: Sound) {
  const { t } = useTranslation()
  const url = useObjectUrl(blob)
  const [unplayable, setUnplayable] = useState<Blob | null>(null)
  const kind = extension.toUpperCase()
  return (
    <div className={styles.sound}>
      {url && (
        // biome-ignore lint/a11y/useMediaCaption: the text that is spoken stands above
        <audio
          className={styles.player}
          controls
          src={url}
          aria-label={t('tasks.player')}
          onError={() => setUnplayable(blob)}
        />
      )}
      {unplayable === blob && <Text role="alert">{t('tasks.unplayable', { kind })}</Text>}
    </div>
  )
}
