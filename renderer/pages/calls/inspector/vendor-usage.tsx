import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import type { TimelineRow } from '../../../gateway/records.ts'
import { useCapture } from './capture/captured-call.tsx'
import { NoUpstream } from './capture/no-upstream.tsx'
import styles from './inspector.module.css'

/** Milliseconds between two looks at a call under way. */
const STEP = 1000

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
        <CapturedUsage call={call} />
      ) : (
        <Text c="dimmed">{t('callPanel.rawUsageMissing')}</Text>
      )}
    </section>
  )
}

function CapturedUsage({ call }: { call: TimelineRow }) {
  const { t } = useTranslation()
  const capture = useCapture(call)
  const isRunning = call.kind === 'running'
  return (
    <QueryView query={capture} verb={t('callPanel.loadingUsage')}>
      {({ id, exchanges }) => {
        if (exchanges.length === 0 && !isRunning) return <NoUpstream />
        const body = exchanges.at(-1)?.answer?.body
        return body?.kind === 'events' ? (
          <StreamedUsage id={id} isRunning={isRunning} />
        ) : (
          <UsageObjects texts={[body?.text ?? '']} isRunning={isRunning} />
        )
      }}
    </QueryView>
  )
}

function StreamedUsage({ id, isRunning }: { id: string; isRunning: boolean }) {
  const { t } = useTranslation()
  const events = useOperation(
    'capture.events',
    { request_id: id },
    isRunning ? { refetchInterval: STEP } : {},
  )
  return (
    <QueryView query={events} verb={t('callPanel.loadingUsage')}>
      {({ upstream }) => (
        <UsageObjects texts={upstream.map(({ data }) => data)} isRunning={isRunning} />
      )}
    </QueryView>
  )
}

/** Of a call under way nobody knows yet that there is none. */
function UsageObjects({ texts, isRunning }: { texts: readonly string[]; isRunning: boolean }) {
  const { t } = useTranslation()
  const found = texts.map(findUsage).filter((usage) => usage !== null)
  const distinct = [...new Set(found.map((usage) => JSON.stringify(usage, null, 2)))]
  if (distinct.length === 0) {
    return (
      <Text c="dimmed">
        {t(isRunning ? 'callPanel.rawUsageRunning' : 'callPanel.rawUsageNone')}
      </Text>
    )
  }
  return distinct.map((usage) => (
    <pre key={usage} className={styles.raw}>
      {usage}
    </pre>
  ))
}
