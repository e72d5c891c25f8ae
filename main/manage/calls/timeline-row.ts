import { z } from 'zod'
import type { StoredCall } from '../../store/ledger/ledger.ts'
import { callRecord, toCallRecord, toOwnCallRecord } from './call-record.ts'

export const timelineRow = callRecord.extend({
  id: z.int().describe('0 in a user’s own list, and of what is no row of the log yet.'),
  created_at: z.int().describe('Unix seconds; for a running call its arrival.'),
  use_time_ms: z.int().describe('Milliseconds; for a running call until now.'),
  status: z.int().describe('HTTP status that the client saw; 0 = the call is running.'),
  kind: z
    .enum(['call', 'refused', 'running'])
    .describe('`refused`: it never became a call; `running`: the call hasn’t ended.'),
  has_capture: z.boolean().describe('What it sent and got can be looked at.'),
})

export type TimelineRow = z.infer<typeof timelineRow>

/** Who looks, and so what is shown. */
export interface Viewer {
  userId: number
  isAdministrator: boolean
  /** Users who aren't administrators see the client address in their own rows. */
  showsIp: boolean
}

export function toTimelineRow(
  row: StoredCall,
  source: 'ledger' | 'refused' | 'running',
  viewer: Viewer,
  captured: ReadonlySet<string>,
): TimelineRow {
  const { isAdministrator, showsIp } = viewer
  const shown = isAdministrator ? toCallRecord(row) : toOwnCallRecord(row, 0, showsIp)
  return {
    ...shown,
    id: source === 'ledger' ? shown.id : 0,
    kind: source === 'ledger' ? 'call' : source,
    has_capture: captured.has(row.requestId),
  }
}
