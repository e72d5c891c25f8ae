import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../../components/feedback/query-view.tsx'
import { useOperation } from '../../../../gateway/queries.ts'
import type { TimelineRow } from '../../../../gateway/records.ts'
import { AttemptChoice, useAttempt } from '../capture/attempt-choice.tsx'
import type { CapturedEvent, CaptureEvents, CaptureRecord } from '../capture/capture-record.ts'
import { CapturedCall } from '../capture/captured-call.tsx'
import styles from '../layout/tab.module.css'
import { StreamPlayer } from './stream-player.tsx'

type Frame = NonNullable<CaptureRecord['frames']>[number]

/** A frame as an event of its side: `→` to the gateway, `←` from it. */
const toEvent = ({ at, border, size, text }: Frame): CapturedEvent => ({
  at,
  event: `${border.endsWith('-in') ? '→' : '←'} ${size} B`,
  data: text ?? '',
  text: '',
})

/** The frames of a WebSocket session as two lists of events. */
function frameEvents(frames: readonly Frame[]): CaptureEvents {
  const of = (side: string) =>
    frames.filter(({ border }) => border.startsWith(side)).map((frame) => toEvent(frame))
  return { upstream: of('upstream'), client: of('client'), links: [] }
}

export function StreamTab({ call }: { call: TimelineRow }) {
  return (
    <CapturedCall call={call}>
      {(capture) =>
        capture.frames ? (
          <Frames key={capture.id} frames={capture.frames} />
        ) : (
          <Streams key={capture.id} call={call} capture={capture} />
        )
      }
    </CapturedCall>
  )
}

/** Milliseconds between two looks at a call under way. */
const STEP = 1000

function Streams({ call, capture }: { call: TimelineRow; capture: CaptureRecord }) {
  const { t } = useTranslation()
  const { index, exchange, choose } = useAttempt(capture)
  const query = useOperation(
    'capture.events',
    { request_id: capture.id, ...(exchange && { exchange: index }) },
    call.kind === 'running' ? { refetchInterval: STEP } : {},
  )
  return (
    <div className={styles.tab}>
      <AttemptChoice capture={capture} index={index} onChange={choose} />
      <QueryView query={query} verb={t('inspector.loading')}>
        {(events) =>
          events.upstream.length + events.client.length > 0 ? (
            <StreamPlayer key={index} events={events} isMatched={events.links.length > 0} />
          ) : (
            <Text c="dimmed">{t('inspector.noEvents')}</Text>
          )
        }
      </QueryView>
    </div>
  )
}

/** Messages of a WebSocket session, both ways. */
function Frames({ frames }: { frames: NonNullable<CaptureRecord['frames']> }) {
  const { t } = useTranslation()
  const events = useMemo(() => frameEvents(frames), [frames])
  if (frames.length === 0) return <Text c="dimmed">{t('inspector.noFrames')}</Text>
  return <StreamPlayer events={events} isMatched={false} />
}
