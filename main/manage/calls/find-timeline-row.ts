import { GatewayError } from '../../base/errors.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { runningRow } from './running-calls.ts'
import type { SourcedRow } from './timeline-page.ts'
import type { Viewer } from './timeline-row.ts'

const FEW = { page: 1, pageSize: 100 }

/** The row of a request, wherever it is; throws `not_found` where there is none that the viewer may see. */
export function findTimelineRow(
  requestId: string,
  { userId, isAdministrator }: Viewer,
  parts: Pick<GatewayParts, 'ledger' | 'openCalls' | 'timeline'>,
): SourcedRow {
  const found = find(requestId, parts)
  if (found && (isAdministrator || found.row.userId === userId)) return found
  throw new GatewayError('not_found', {
    message: `There is no row of a request "${requestId}": it was removed with the old ones, or there was none.`,
    reason: { code: 'no_row_of_request', id: requestId },
  })
}

function find(
  requestId: string,
  { ledger, openCalls, timeline }: Pick<GatewayParts, 'ledger' | 'openCalls' | 'timeline'>,
): SourcedRow | null {
  // A call may have further rows, such as a warning of its token's budget.
  const { items } = ledger.list({ requestId }, FEW)
  const booked = items.find(({ type }) => type === 2 || type === 5)
  if (booked) return { row: booked, source: 'ledger' }
  const open = openCalls.find(requestId)
  if (open) return { row: runningRow(open), source: 'running' }
  const refused = timeline.refused?.find(requestId)
  return refused ? { row: refused, source: 'refused' } : null
}
