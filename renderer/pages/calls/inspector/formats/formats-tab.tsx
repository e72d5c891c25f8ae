import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../../components/feedback/query-view.tsx'
import { useOperation } from '../../../../gateway/queries.ts'
import type { TimelineRow } from '../../../../gateway/records.ts'
import { CapturedCall } from '../capture/captured-call.tsx'
import { Segments } from '../layout/segments.tsx'
import styles from '../layout/tab.module.css'
import { FormatViews } from './format-views.tsx'
import { PastedRequest } from './pasted-request.tsx'

const sources = ['thisCall', 'pasted'] as const

export function FormatsTab({ call }: { call: TimelineRow }) {
  const { t } = useTranslation()
  const [source, setSource] = useState<(typeof sources)[number]>('thisCall')
  return (
    <div className={styles.tab}>
      <Segments
        label={t('inspector.source')}
        value={source}
        onChange={setSource}
        data={sources.map((value) => ({ value, label: t(`inspector.${value}`) }))}
      />
      {source === 'thisCall' ? (
        <CapturedCall call={call}>{({ id }) => <OwnFormats key={id} id={id} />}</CapturedCall>
      ) : (
        <PastedRequest />
      )}
    </div>
  )
}

function OwnFormats({ id }: { id: string }) {
  const { t } = useTranslation()
  const query = useOperation('capture.formats', { request_id: id })
  return (
    <QueryView query={query} verb={t('inspector.converting')}>
      {({ formats }) => <FormatViews formats={formats} />}
    </QueryView>
  )
}
