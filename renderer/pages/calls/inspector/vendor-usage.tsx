import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import type { TimelineRow } from '../../../gateway/records.ts'
import styles from './inspector.module.css'
import { findUsage } from './raw-usage.ts'

/** The usage objects as the vendor wrote them: of a stream every event that has another one. */
export function VendorUsage({ call }: { call: TimelineRow }) {
  const { t } = useTranslation()
  return (
    <section className={styles.section}>
      <h3>{t('callPanel.rawUsage')}</h3>
      {call.has_capture && call.request_id ? (
        <CapturedUsage id={call.request_id} />
      ) : (
        <Text c="dimmed">{t('callPanel.rawUsageMissing')}</Text>
      )}
    </section>
  )
}

function CapturedUsage({ id }: { id: string }) {
  const { t } = useTranslation()
  const capture = useOperation('capture.get', { request_id: id })
  const answer = capture.data?.exchanges.at(-1)?.answer
  const isStream = answer?.body.kind === 'events'
  const events = useOperation('capture.events', { request_id: id }, { enabled: isStream })
  const texts = isStream
    ? (events.data?.upstream.map(({ data }) => data) ?? [])
    : [answer?.body.text ?? '']
  const found = texts.map(findUsage).filter((usage) => usage !== null)
  const distinct = [...new Set(found.map((usage) => JSON.stringify(usage, null, 2)))]
  return (
    <QueryView query={capture} verb={t('callPanel.loadingUsage')}>
      {() =>
        distinct.length === 0 ? (
          <Text c="dimmed">{t('callPanel.rawUsageNone')}</Text>
        ) : (
          distinct.map((usage) => (
            <pre key={usage} className={styles.raw}>
              {usage}
            </pre>
          ))
        )
      }
    </QueryView>
  )
}
