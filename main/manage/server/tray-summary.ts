import { budgetsOf } from '../../relay/limits/budget.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { findOwner } from '../operation/owner.ts'

/** A failed call, as briefly as it can be told. */
export interface BriefFailure {
  requestId: string
  /** Unix seconds. */
  time: number
  /** Empty where it never reached one. */
  channel: string
  /** HTTP status that the client saw. */
  status: number
  /** The message of the row, in one line. */
  reason: string
}

/** Today's figures for the tray. */
export interface TraySummary {
  url: string
  /** Unix seconds; null while calls are taken. */
  pausedSince: number | null
  isSetUp: boolean
  /** Units spent today; null where nothing of it has a price. */
  spent: number | null
  /** Some of it was estimated, or has no price. */
  isEstimate: boolean
  /** The budgets of the day of all enabled tokens that have one, in units; null where none has. */
  budget: { used: number; limit: number } | null
  callsUnderWay: number
  /** The latest first, at most three. */
  failures: BriefFailure[]
  channels: { id: number; name: string; status: 1 | 2 | 3 }[]
}

type Reader = Pick<GatewayParts, 'ledger'>

const MOST_FAILURES = 3
/** Rows looked at for them: refusals of a pause are passed over. */
const LOOK_BACK = 200

function latestFailures({ ledger }: Reader): BriefFailure[] {
  const rows = ledger.read(
    // `type <> 2` names the index of what is no answered call.
    `SELECT request_id, created_at, channel_name, status, content, other FROM calls
      WHERE type = 5 AND type <> 2 ORDER BY created_at DESC, id DESC LIMIT ?`,
    LOOK_BACK,
  )
  return rows
    .filter(({ other }) => !String(other).includes('"error_code":"gateway_paused"'))
    .slice(0, MOST_FAILURES)
    .map((row) => ({
      requestId: String(row.request_id),
      time: Number(row.created_at),
      channel: String(row.channel_name),
      status: Number(row.status),
      reason: String(row.content).replace(/\s+/g, ' ').trim(),
    }))
}

/** Whether a figure of today is only an estimate; each row is looked at once. */
function createEstimateWatch({ ledger }: Reader): (midnight: number) => boolean {
  let day = 0
  let lastId = 0
  let isEstimate = false
  return (midnight) => {
    if (midnight !== day) {
      day = midnight
      isEstimate = false
    }
    const [row] = ledger.read(
      `SELECT max(id) AS last, max(unpriced) AS unpriced, max(estimated) AS estimated
        FROM calls WHERE created_at >= ? AND id > ?`,
      midnight,
      lastId,
    )
    lastId = Math.max(lastId, Number(row?.last ?? 0))
    isEstimate ||= row?.unpriced === 1 || row?.estimated === 1
    return isEstimate
  }
}

function budgetOfDay({ tokens, ledger }: GatewayParts): TraySummary['budget'] {
  const budgets = tokens
    .all()
    .filter(({ status, dayBudget }) => status === 1 && dayBudget !== null)
    .flatMap((token) => budgetsOf(token, ledger).filter(({ period }) => period === 'day'))
  if (budgets.length === 0) return null
  const sum = (field: 'used' | 'limit') => budgets.reduce((total, one) => total + one[field], 0)
  return { used: sum('used'), limit: sum('limit') }
}

/** Gives what reads the gateway's figures of this moment. */
export function createTraySummary(parts: GatewayParts): () => TraySummary {
  const hasEstimates = createEstimateWatch(parts)
  return () => {
    const midnight = new Date().setHours(0, 0, 0, 0) / 1000
    const { quota, calls, errors } = parts.ledger.stat({ start: midnight })
    return {
      url: parts.address().url,
      pausedSince: parts.settings.current.PausedSince || null,
      isSetUp: findOwner(parts.users) !== undefined,
      spent: quota === 0 && calls > errors ? null : quota,
      isEstimate: hasEstimates(midnight),
      budget: budgetOfDay(parts),
      callsUnderWay: parts.openCalls.size,
      failures: latestFailures(parts),
      channels: parts.channels.all().map(({ id, name, status }) => ({ id, name, status })),
    }
  }
}
