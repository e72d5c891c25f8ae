import { Group, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../../components/actions/copy-text.tsx'
import { useFormat } from '../../../../components/format/use-format.ts'
import { useOperation } from '../../../../gateway/queries.ts'
import type { TimelineRow } from '../../../../gateway/records.ts'
import { sentenceOf } from '../../../../i18n/sentence-of.ts'
import { lossNote } from '../../loss-facts.ts'
import { BodyPane } from '../body/body-pane.tsx'
import { Differences } from '../body/differences.tsx'
import { AttemptChoice, useAttempt } from '../capture/attempt-choice.tsx'
import type { CapturedRequest, CaptureRecord } from '../capture/capture-record.ts'
import { CapturedCall } from '../capture/captured-call.tsx'
import { NoUpstream } from '../capture/no-upstream.tsx'
import { Pane, Panes } from '../layout/panes.tsx'
import { Segments } from '../layout/segments.tsx'
import styles from '../layout/tab.module.css'

const modes = ['pretty', 'raw', 'differences'] as const
type Mode = (typeof modes)[number]

export function RequestTab({ call }: { call: TimelineRow }) {
  return (
    <CapturedCall call={call}>
      {(capture) => <Requests key={capture.id} capture={capture} />}
    </CapturedCall>
  )
}

function Requests({ capture }: { capture: CaptureRecord }) {
  const { t } = useTranslation()
  const [mode, setMode] = useState<Mode>('pretty')
  const { index, exchange, choose } = useAttempt(capture)
  const marks = useLossMarks(capture.id, exchange ? index : null)
  const { request } = capture.client
  return (
    <div className={styles.tab}>
      <Group gap={8}>
        <Segments
          label={t('inspector.view')}
          value={mode}
          onChange={setMode}
          data={modes.map((value) => ({ value, label: t(`inspector.${value}`) }))}
        />
        <AttemptChoice capture={capture} index={index} onChange={choose} />
      </Group>
      {mode === 'differences' && exchange ? (
        <Differences requestId={capture.id} exchange={index} side="request" />
      ) : (
        <Panes>
          <Pane title={t('inspector.client')} line={<RequestLine request={request} />}>
            <Files request={request} />
            <BodyPane
              requestId={capture.id}
              border="client.request"
              body={request.body}
              mode={mode === 'raw' ? 'raw' : 'pretty'}
              marks={marks}
            />
          </Pane>
          {exchange ? (
            <Pane
              title={`${t('inspector.upstream')}: ${exchange.channel_name}`}
              line={<RequestLine request={exchange.request} />}
            >
              <Files request={exchange.request} />
              <BodyPane
                key={index}
                requestId={capture.id}
                border={`exchange.${index}.request`}
                body={exchange.request.body}
                mode={mode === 'raw' ? 'raw' : 'pretty'}
              />
            </Pane>
          ) : (
            <Pane title={t('inspector.upstream')}>
              <NoUpstream />
            </Pane>
          )}
        </Panes>
      )}
    </div>
  )
}

/** Why what stands at a path of the client's request didn't reach the upstream. */
function useLossMarks(requestId: string, exchange: number | null): ReadonlyMap<string, string> {
  const diff = useOperation(
    'capture.diff',
    { request_id: requestId, exchange: exchange ?? 0, side: 'request' },
    { enabled: exchange !== null },
  )
  const { i18n } = useTranslation()
  return useMemo(
    () => new Map(diff.data?.losses.map((loss) => [loss.path, sentenceOf(lossNote(loss), i18n)])),
    [diff.data, i18n],
  )
}

function RequestLine({ request: { method, url } }: { request: CapturedRequest }) {
  const { t } = useTranslation()
  return (
    <>
      {method}{' '}
      <CopyText value={url} label={t('inspector.address')} wraps>
        {url}
      </CopyText>
    </>
  )
}

/** The files of a form, whose bytes aren't kept. */
function Files({ request: { files } }: { request: CapturedRequest }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (files.length === 0) return null
  return (
    <div className={styles.files}>
      <Text c="dimmed">{t('inspector.files')}</Text>
      <ul>
        {files.map(({ field, name, type, size, digest }) => (
          <li key={`${field} ${name} ${digest}`}>
            <span className={styles.mono}>{field}</span>: {name} · {type} · {format.size(size)} ·{' '}
            <CopyText value={digest} label="SHA-256">
              {`${digest.slice(0, 12)}…`}
            </CopyText>
          </li>
        ))}
      </ul>
    </div>
  )
}
