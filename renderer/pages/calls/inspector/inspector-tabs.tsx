import { Tabs } from '@mantine/core'
import type { ParseKeys } from 'i18next'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import type { TimelineRow } from '../../../gateway/records.ts'
import { AnswerTab } from './answer/answer-tab.tsx'
import { FormatsTab } from './formats/formats-tab.tsx'
import styles from './inspector.module.css'
import { HeadersTab } from './request/headers-tab.tsx'
import { RequestTab } from './request/request-tab.tsx'
import { RouteTab } from './route-tab.tsx'
import { StreamTab } from './stream/stream-tab.tsx'
import { TimelineTab } from './timeline/timeline-tab.tsx'
import { UsageTab } from './usage-tab.tsx'

export interface InspectorTab {
  /** Stands in the URL. */
  id: string
  label: ParseKeys
  View: ComponentType<{ call: TimelineRow }>
  /** Does it say anything about this row? */
  fits: (call: TimelineRow) => boolean
}

const isRequest = () => true
const isCall = ({ kind }: TimelineRow) => kind === 'call' || kind === 'running'

/** In their order; the keys 1 to 9 choose among those that fit. */
export const inspectorTabs: readonly InspectorTab[] = [
  { id: 'timeline', label: 'inspector.timeline', View: TimelineTab, fits: isRequest },
  { id: 'request', label: 'inspector.request', View: RequestTab, fits: isRequest },
  { id: 'answer', label: 'inspector.answer', View: AnswerTab, fits: isRequest },
  { id: 'stream', label: 'inspector.stream', View: StreamTab, fits: isRequest },
  { id: 'headers', label: 'inspector.headers', View: HeadersTab, fits: isRequest },
  { id: 'route', label: 'callPanel.route', View: RouteTab, fits: isCall },
  { id: 'usage', label: 'callPanel.usage', View: UsageTab, fits: isCall },
  { id: 'formats', label: 'inspector.formats', View: FormatsTab, fits: isRequest },
]

interface InspectorTabsProps {
  call: TimelineRow
  /** Id of the chosen tab; the first where this row has no such. */
  tab: string
  onTab: (tab: string) => void
}

export function InspectorTabs({ call, tab, onTab }: InspectorTabsProps) {
  const { t } = useTranslation()
  const tabs = inspectorTabs.filter(({ fits }) => fits(call))
  const chosen = tabs.find(({ id }) => id === tab) ?? tabs[0]
  if (!chosen) return null
  return (
    <Tabs
      className={styles.tabs}
      value={chosen.id}
      onChange={(next) => onTab(next ?? '')}
      keepMounted={false}
    >
      <Tabs.List className={styles.tabList} aria-label={t('callPanel.tabs')}>
        {tabs.map(({ id, label }, index) => (
          <Tabs.Tab key={id} value={id} title={t('callPanel.key', { key: index + 1 })}>
            {t(label)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, View }) => (
        <Tabs.Panel key={id} value={id} className={styles.tabPanel} tabIndex={0}>
          <View call={call} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
