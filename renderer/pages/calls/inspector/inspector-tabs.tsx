import type { ComponentType } from 'react'
import type { TimelineRow } from '../../../gateway/records.ts'
import { AnswerTab } from './answer-tab.tsx'
import { FormatsTab } from './formats-tab.tsx'
import { HeadersTab } from './headers-tab.tsx'
import { RequestTab } from './request-tab.tsx'
import { StreamTab } from './stream-tab.tsx'
import { TimelineTab } from './timeline-tab.tsx'

/** A tab of the inspector; `label` is the key of its name. */
interface InspectorTab {
  id: string
  label: `inspector.${'timeline' | 'request' | 'answer' | 'stream' | 'headers' | 'formats'}`
  Component: ComponentType<{ call: TimelineRow }>
}

export const inspectorTabs: readonly InspectorTab[] = [
  { id: 'timeline', label: 'inspector.timeline', Component: TimelineTab },
  { id: 'request', label: 'inspector.request', Component: RequestTab },
  { id: 'answer', label: 'inspector.answer', Component: AnswerTab },
  { id: 'stream', label: 'inspector.stream', Component: StreamTab },
  { id: 'headers', label: 'inspector.headers', Component: HeadersTab },
  { id: 'formats', label: 'inspector.formats', Component: FormatsTab },
]
