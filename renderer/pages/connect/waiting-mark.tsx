import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { CopyText } from '../../components/actions/copy-text.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import type { ConnectTool } from '../../gateway/records.ts'
import { useFailureText } from '../../i18n/use-sentence.ts'
import styles from './connect.module.css'

/** Until a call of the tool succeeds; one that failed is told with its reason. */
export function WaitingMark({ tool }: { tool: ConnectTool }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sayFailure = useFailureText()
  const { name, first_call, failed_call: failed } = tool
  return (
    <div role="status" className={styles.call}>
      <span className={styles.dot} aria-hidden />
      <div>
        {failed && (
          <>
            <Text c="var(--bad)" fw={600}>
              {t('connectTools.callFailed', { time: format.time(failed.at) })}
            </Text>
            <Text className={styles.breaks}>{sayFailure(failed.code, failed.message)}</Text>
            <Anchor component={Link} href="/calls">
              {t('connectTools.showCalls')}
            </Anchor>
          </>
        )}
        <Text>{t(failed ? 'connectTools.waitingAgain' : 'connectTools.waiting')}</Text>
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
