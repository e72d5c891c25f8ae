import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../components/actions/copy-text.tsx'
import type { ConnectTool } from '../../gateway/records.ts'
import styles from './connect.module.css'

export function WaitingMark({ tool }: { tool: ConnectTool }) {
  const { t } = useTranslation()
  const { name, first_call } = tool
  return (
    <div role="status" className={styles.call}>
      <span className={styles.dot} aria-hidden />
      <div>
        <Text>{t('connectTools.waiting')}</Text>
        <Text c="dimmed">
          {first_call === null ? (
            t('connectTools.howToCall', { name })
          ) : (
            <>
              {t('connectTools.runToCall', { name })}{' '}
              <CopyText value={first_call} label={t('connectTools.command')} wraps />
            </>
          )}
        </Text>
      </div>
    </div>
  )
}
