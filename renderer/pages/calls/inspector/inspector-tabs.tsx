import type { ParseKeys } from 'i18next'
import type { ComponentType } from 'react'
import type { TimelineRow } from '../../../gateway/records.ts'
import { AnswerTab } from './answer/answer-tab.tsx'
import { FormatsTab } from './formats/formats-tab.tsx'
import { HeadersTab } from './request/headers-tab.tsx'
import { RequestTab } from './request/request-tab.tsx'
import { StreamTab } from './stream/stream-tab.tsx'
import { TimelineTab } from './timeline/timeline-tab.tsx'

interface InspectorTab {
  id: string
  label: ParseKeys
  View: ComponentType<{ call: TimelineRow }>
  /** Does it say anything about this row? */
  fits: (call: TimelineRow) => boolean
}

const isRequest = ({ kind }: TimelineRow) => kind !== 'event'

export const inspectorTabs: readonly InspectorTab[] = [
  { id: 'timeline', label: 'inspector.timeline', View: TimelineTab, fits: isRequest },
  { id: 'request', label: 'inspector.request', View: RequestTab, fits: isRequest },
  { id: 'answer', label: 'inspector.answer', View: AnswerTab, fits: isRequest },
  { id: 'stream', label: 'inspector.stream', View: StreamTab, fits: isRequest },
  { id: 'headers', label: 'inspector.headers', View: HeadersTab, fits: isRequest },
  { id: 'formats', label: 'inspector.formats', View: FormatsTab, fits: isRequest },
]
