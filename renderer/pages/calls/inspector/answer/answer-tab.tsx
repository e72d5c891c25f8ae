import { Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TimelineRow } from '../../../../gateway/records.ts'
import { BodyPane } from '../body/body-pane.tsx'
import { Differences } from '../body/differences.tsx'
import { AttemptChoice, useAttempt } from '../capture/attempt-choice.tsx'
import type { CapturedAnswer, CaptureRecord } from '../capture/capture-record.ts'
import { CapturedCall } from '../capture/captured-call.tsx'
import { NoUpstream } from '../capture/no-upstream.tsx'
import { Pane, Panes } from '../layout/panes.tsx'
import { Segments } from '../layout/segments.tsx'
import styles from '../layout/tab.module.css'
import { AnswerLine } from './answer-line.tsx'
import { AnswerReading } from './answer-reading.tsx'
import { NoAnswer } from './no-answer.tsx'

const modes = ['text', 'pretty', 'raw', 'differences'] as const
type Mode = (typeof modes)[number]

export function AnswerTab({ call }: { call: TimelineRow }) {
  return (
    <CapturedCall call={call}>
      {(capture) => <Answers key={capture.id} call={call} capture={capture} />}
    </CapturedCall>
  )
}

function Answers({ call, capture }: { call: TimelineRow; capture: CaptureRecord }) {
  const { t } = useTranslation()
  const [mode, setMode] = useState<Mode>('text')
  const { index, exchange, choose } = useAttempt(capture)
  const side = (border: string, answer: CapturedAnswer) => (
    <BodyPane
      // A call under way grows: its body is read anew.
      key={`${border} ${answer.body.size}`}
      requestId={capture.id}
      border={border}
      body={answer.body}
      mode={mode === 'raw' ? 'raw' : 'pretty'}
    />
  )
  return (
    <div className={styles.tab}>
      <Group gap={8}>
        <Segments
          label={t('inspector.view')}
          value={mode}
          onChange={setMode}
          data={modes.map((value) => ({ value, label: t(`inspector.${value}`) }))}
        />
        {mode !== 'text' && <AttemptChoice capture={capture} index={index} onChange={choose} />}
      </Group>
      {mode === 'text' ? (
        <AnswerReading call={call} capture={capture} />
      ) : mode === 'differences' && exchange ? (
        <Differences requestId={capture.id} exchange={index} side="answer" />
      ) : (
        <Panes>
          {exchange ? (
            <Pane
              title={`${t('inspector.upstream')}: ${exchange.channel_name}`}
              line={exchange.answer && <AnswerLine answer={exchange.answer} />}
            >
              {exchange.answer ? (
                side(`exchange.${index}.answer`, exchange.answer)
              ) : (
                <NoAnswer failure={exchange.failure} />
              )}
            </Pane>
          ) : (
            <Pane title={t('inspector.upstream')}>
              <NoUpstream />
            </Pane>
          )}
          <Pane
            title={t('inspector.client')}
            line={capture.client.answer && <AnswerLine answer={capture.client.answer} />}
          >
            {capture.client.answer ? (
              side('client.answer', capture.client.answer)
            ) : (
              <NoAnswer failure={null} />
            )}
          </Pane>
        </Panes>
      )}
    </div>
  )
}
