import { Button, Group } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TimelineRow } from '../../../../gateway/records.ts'
import { AnswerLine } from '../answer/answer-line.tsx'
import { NoAnswer } from '../answer/no-answer.tsx'
import { AttemptChoice, useAttempt } from '../capture/attempt-choice.tsx'
import { borderName } from '../capture/border-name.ts'
import type { CaptureRecord } from '../capture/capture-record.ts'
import { CapturedCall } from '../capture/captured-call.tsx'
import { NoUpstream } from '../capture/no-upstream.tsx'
import { Pane, Panes } from '../layout/panes.tsx'
import styles from './headers.module.css'

type Headers = CaptureRecord['client']['request']['headers']

export function HeadersTab({ call }: { call: TimelineRow }) {
  return (
    <CapturedCall call={call}>
      {(capture) => <AllHeaders key={capture.id} capture={capture} />}
    </CapturedCall>
  )
}

function AllHeaders({ capture }: { capture: CaptureRecord }) {
  const { t } = useTranslation()
  const { index, exchange, choose } = useAttempt(capture)
  const { request, answer } = capture.client
  return (
    <div className={styles.tab}>
      <AttemptChoice capture={capture} index={index} onChange={choose} />
      <Panes>
        <HeaderPane
          title={borderName(t, 'client.request')}
          line={`${request.method} ${request.url}`}
          headers={request.headers}
        />
        {exchange ? (
          <HeaderPane
            title={borderName(t, `exchange.${index}.request`)}
            line={`${exchange.request.method} ${exchange.request.url}`}
            headers={exchange.request.headers}
          />
        ) : (
          <Pane title={t('inspector.upstream')}>
            <NoUpstream />
          </Pane>
        )}
        {answer ? (
          <HeaderPane
            title={borderName(t, 'client.answer')}
            line={<AnswerLine answer={answer} />}
            headers={answer.headers}
          />
        ) : (
          <Pane title={borderName(t, 'client.answer')}>
            <NoAnswer failure={null} />
          </Pane>
        )}
        {exchange?.answer && (
          <HeaderPane
            title={borderName(t, `exchange.${index}.answer`)}
            line={<AnswerLine answer={exchange.answer} />}
            headers={exchange.answer.headers}
          />
        )}
        {exchange && !exchange.answer && (
          <Pane title={borderName(t, `exchange.${index}.answer`)}>
            <NoAnswer failure={exchange.failure} />
          </Pane>
        )}
      </Panes>
    </div>
  )
}

interface HeaderPaneProps {
  title: string
  line: ReactNode
  headers: Headers
}

function HeaderPane({ title, line, headers }: HeaderPaneProps) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 1200 })
  const text = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  return (
    <Pane
      title={title}
      line={
        <Group gap={8} justify="space-between" align="flex-start">
          <span>{line}</span>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            aria-label={t('inspector.copyThing', { thing: title })}
            onClick={() => clipboard.copy(text)}
          >
            {t(clipboard.copied ? 'common.copied' : 'common.copy')}
          </Button>
        </Group>
      }
    >
      <table className={styles.headers} aria-label={title}>
        <tbody>
          {headers.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may come twice
            <tr key={index}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Pane>
  )
}
