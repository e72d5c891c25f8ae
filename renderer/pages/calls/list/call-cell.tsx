import { approximate } from '../../../components/format/approximate.ts'
import type { Format } from '../../../components/format/use-format.ts'
import type { TimelineRow } from '../../../gateway/records.ts'
import type { CallFacts } from '../call-facts.ts'
import { CallBadges } from '../cells/call-badges.tsx'
import { CallCost } from '../cells/call-cost.tsx'
import { CallStatus } from '../cells/call-status.tsx'
import { Elapsed } from '../cells/elapsed.tsx'
import { FilterValue } from '../cells/filter-value.tsx'
import { StopCall } from '../cells/stop-call.tsx'
import type { CallColumn } from './call-columns.ts'
import styles from './call-list.module.css'

interface CallCellProps {
  column: CallColumn
  call: TimelineRow
  facts: CallFacts
  /** From the row: hundreds of cells would each look it up. */
  format: Format
  /** Start of a running call by this browser's clock, in milliseconds since 1970. */
  since: number | null
}

export function CallCell({ column, call, facts, format, since }: CallCellProps) {
  const tokens = (count: number | null) => approximate(format.count(count), facts.estimated)
  switch (column) {
    case 'time':
      return (
        <span className={`${styles.quiet} ${styles.time}`} title={format.fullTime(call.created_at)}>
          {format.time(call.created_at)}
        </span>
      )
    case 'status':
      return <StatusCell call={call} facts={facts} />
    case 'model': {
      const { cut, tried, losses, estimated } = facts
      const isTroubled = cut || tried.length > 1 || losses.length > 0 || estimated
      return (
        <div className={styles.model} data-troubled={isTroubled || undefined}>
          <span className={styles.modelName} title={call.model_name}>
            <FilterValue field="model" value={call.model_name} inRow />
          </span>
          <CallBadges facts={facts} isRefused={false} />
          {since !== null && <StopCall call={call} />}
        </div>
      )
    }
    case 'token':
      return <FilterValue field="token" value={call.token_name} inRow />
    case 'channel':
      return <FilterValue field="channel" value={call.channel_name} inRow />
    case 'path':
      return <FilterValue field="path" value={facts.path ?? ''} inRow />
    case 'client':
      return <FilterValue field="client" value={facts.client ?? ''} inRow />
    case 'session':
      return <FilterValue field="session" value={facts.session ?? ''} inRow />
    case 'user':
      return <FilterValue field="user" value={call.username} inRow />
    case 'input':
      return tokens(facts.inputTokens)
    case 'output':
      return tokens(facts.outputTokens)
    case 'firstToken':
      return format.duration(facts.firstToken)
    case 'duration':
      return since === null ? format.duration(facts.duration) : <Elapsed since={since} />
    case 'cost':
      return <CallCost facts={facts} />
  }
}

export function StatusCell({ call, facts }: Pick<CallCellProps, 'call' | 'facts'>) {
  if (call.kind === 'running') {
    return (
      <FilterValue field="running" value="yes" inRow>
        <CallStatus facts={facts} isRunning />
      </FilterValue>
    )
  }
  if (facts.status === null) return <CallStatus facts={facts} />
  return (
    <FilterValue field="status" value={String(facts.status)} inRow>
      <CallStatus facts={facts} />
    </FilterValue>
  )
}
