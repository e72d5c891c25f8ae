import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import type { TimelineRow } from '../../../gateway/records.ts'
import styles from './inspector.module.css'

/** Where the wire formats keep their usage. */
const places = ['usage', 'usageMetadata']
const wrappers = ['message', 'response']

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The vendor's usage object in an answer or in one event of it; null where there is none. */
function findUsage(text: string): object | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(value)) return null
  const around = [value, ...wrappers.map((key) => value[key]).filter(isObject)]
  for (const one of around) {
    for (const key of places) if (isObject(one[key])) return one[key]
  }
  return null
}

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
