import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../../components/feedback/query-view.tsx'
import { useOperation } from '../../../../gateway/queries.ts'
import type { TimelineRow } from '../../../../gateway/records.ts'
import { useSentence } from '../../../../i18n/use-sentence.ts'
import type { CaptureRecord } from '../capture/capture-record.ts'
import { ReadingParts } from './reading-parts.tsx'

/** Milliseconds between two looks at a call under way. */
const STEP = 1000

/** The client's answer as a person reads it. */
export function AnswerReading({ call, capture }: { call: TimelineRow; capture: CaptureRecord }) {
  const { t } = useTranslation()
  const say = useSentence()
  const query = useOperation(
    'capture.reading',
    { request_id: capture.id },
    call.kind === 'running' ? { refetchInterval: STEP } : {},
  )
  return (
    <QueryView query={query} verb={t('inspector.loading')}>
      {({ output, problem, reason }) => (
        <>
          {capture.client.answer?.is_cut && <Text c="var(--warn)">{t('inspector.answerCut')}</Text>}
          <ReadingParts parts={output} />
          {output.length === 0 && (
            <Text c="dimmed">
              {(problem && say({ message: problem, reason })) ??
                t(capture.client.answer ? 'inspector.noWords' : 'inspector.noAnswer')}
            </Text>
          )}
        </>
      )}
    </QueryView>
  )
}
