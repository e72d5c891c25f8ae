import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../../components/feedback/query-view.tsx'
import { readObject } from '../../../../components/forms/read-object.ts'
import { useOperation, useOperations } from '../../../../gateway/queries.ts'
import type { TimelineRow } from '../../../../gateway/records.ts'
import { readCallFacts } from '../../call-facts.ts'
import type { CapturedEvent, CapturedExchange, CaptureRecord } from '../capture/capture-record.ts'
import { CapturedCall } from '../capture/captured-call.tsx'
import { MissingCapture } from '../capture/missing-capture.tsx'
import styles from '../layout/tab.module.css'
import { callPhases } from './call-phases.ts'
import { PhaseChart } from './phase-chart.tsx'

/** Milliseconds between two looks at a call under way. */
const STEP = 1000

const noEvents: readonly CapturedEvent[][] = []

const isOfEvents = ({ answer }: CapturedExchange): boolean => answer?.body.kind === 'events'

/** Where a call's time went. Without a capture the log's own times are shown. */
export function TimelineTab({ call }: { call: TimelineRow }) {
  const hasAttempts = (readCallFacts(call).route?.attempts.length ?? 0) > 0
  if (!call.has_capture && hasAttempts) {
    return (
      <div className={styles.tab}>
        <Chart call={call} capture={null} events={noEvents} />
        <MissingCapture call={call} />
      </div>
    )
  }
  return (
    <CapturedCall call={call}>
      {(capture) => <CapturedTimeline key={capture.id} call={call} capture={capture} />}
    </CapturedCall>
  )
}

function CapturedTimeline({ call, capture }: { call: TimelineRow; capture: CaptureRecord }) {
  const { t } = useTranslation()
  const { exchanges } = capture
  const answer = exchanges.at(-1)?.answer
  const isStream = call.is_stream && (answer?.body.size ?? 0) > 0
  const events = useOperation(
    'capture.events',
    { request_id: capture.id },
    { enabled: isStream, ...(call.kind === 'running' && { refetchInterval: STEP }) },
  )
  const earlier = useOperations(
    'capture.events',
    exchanges
      .slice(0, -1)
      .flatMap((one, exchange) => (isOfEvents(one) ? [{ request_id: capture.id, exchange }] : [])),
  )
  const before = useMemo(() => {
    const found = earlier.values()
    return exchanges
      .slice(0, -1)
      .map((one) => (isOfEvents(one) ? found.next().value?.upstream : undefined) ?? [])
  }, [earlier, exchanges])
  if (!isStream) return <Chart call={call} capture={capture} events={before} />
  return (
    <QueryView query={events} verb={t('inspector.loading')}>
      {({ upstream }) => <Chart call={call} capture={capture} events={[...before, upstream]} />}
    </QueryView>
  )
}

interface ChartProps {
  call: TimelineRow
  capture: CaptureRecord | null
  /** Of each exchange's answer. */
  events: readonly (readonly CapturedEvent[])[]
}

function Chart({ call, capture, events }: ChartProps) {
  const phases = useMemo(() => {
    const waited = readObject(call.other).waited_ms
    return callPhases({
      facts: readCallFacts(call),
      capture,
      events,
      queued: typeof waited === 'number' ? waited : 0,
    })
  }, [call, capture, events])
  return <PhaseChart phases={phases} isRunning={call.kind === 'running'} />
}
