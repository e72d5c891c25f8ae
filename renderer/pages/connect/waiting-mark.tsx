import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './connect.module.css'

export function WaitingMark({ name }: { name: string }) {
  const { t } = useTranslation()
  return (
    <div role="status" className={styles.call}>
      <span className={styles.dot} aria-hidden />
      <div>
        <Text>{t('connectTools.waiting')}</Text>
        <Text c="dimmed">{t('connectTools.howToCall', { name })}</Text>
      </div>
    </div>
  )
}
