import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Busy } from '../../../components/feedback/busy.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import type { TimelineRow } from '../../../gateway/records.ts'
import { useFinalCapture } from './capture/use-final-capture.ts'
import styles from './inspector.module.css'
import { InspectorHeader } from './inspector-header.tsx'
import { InspectorTabs } from './inspector-tabs.tsx'
import { PanelResizer } from './panel-resizer.tsx'
import { usePanelWidth } from './use-panel-width.ts'

interface InspectorProps {
  requestId: string
  /** As the list has it; null when it isn't there. */
  row: TimelineRow | null
  tab: string
  onTab: (tab: string) => void
  onClose: () => void
}

/** The panel of one row: beside the list, or over it in a window under 1100 px. */
export function Inspector(props: InspectorProps) {
  const { requestId, onClose } = props
  const { t } = useTranslation()
  const isOver = useMediaQuery('(max-width: 1099px)', undefined, { getInitialValueInEffect: false })
  const width = usePanelWidth()
  const label = t('callPanel.label', { id: requestId })
  if (isOver) {
    return (
      <Drawer.Root
        opened
        onClose={onClose}
        position="right"
        size="min(680px, 100%)"
        padding={0}
        returnFocus={false}
      >
        <Drawer.Overlay />
        <Drawer.Content aria-label={label} data-inspector>
          <div className={styles.over}>
            <InspectorBody {...props} />
          </div>
        </Drawer.Content>
      </Drawer.Root>
    )
  }
  return (
    <>
      <PanelResizer width={width} />
      <aside
        className={styles.panel}
        style={{ width: width.value }}
        aria-label={label}
        data-inspector
      >
        <InspectorBody {...props} />
      </aside>
    </>
  )
}

function InspectorBody({ requestId, row, tab, onTab, onClose }: InspectorProps) {
  const { t } = useTranslation()
  const isListed = row !== null && row.kind !== 'running'
  const one = useOperation(
    'call.one',
    { request_id: requestId },
    { enabled: !isListed, refetchInterval: isListed ? 0 : 2000 },
  )
  const call = isListed ? row : (one.data ?? row)
  useFinalCapture(call)
  if (!call) {
    if (one.isError) {
      return (
        <div className={styles.lone}>
          <FailureNote failure={one.error} onRetry={() => void one.refetch()} />
        </div>
      )
    }
    return (
      <div className={styles.lone}>
        <Busy label={t('callPanel.loading')} onCancel={onClose} />
      </div>
    )
  }
  const since = one.data ? one.dataUpdatedAt - one.data.use_time_ms : call.created_at * 1000
  return (
    <>
      <InspectorHeader call={call} since={since} onClose={onClose} />
      <InspectorTabs call={call} tab={tab} onTab={onTab} />
    </>
  )
}
