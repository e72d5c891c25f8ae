import { GatewayError } from '../../base/errors.ts'
import type { Log } from '../../base/log/log.ts'
import type { Usage } from '../../convert/exchange.ts'
import { sumUsage } from '../../convert/other/sum-usage.ts'
import type { CallRow, Ledger } from '../../store/ledger/ledger.ts'
import type { SettingsStore } from '../../store/state/settings.ts'
import { releaseFiles } from '../3-prepare/converted/fetch-files.ts'
import type { Call } from '../call/call.ts'
import { CallRecord } from '../call/call-record.ts'
import type { BodyMemory } from '../limits/body-memory.ts'
import { budgetRows, hasBudget } from '../limits/budget.ts'
import type { CallSlots } from '../limits/call-slots.ts'
import type { OpenCall, OpenCalls } from '../limits/open-calls.ts'
import type { RequestLimits } from '../limits/request-limit.ts'
import { callRow, rowSoFar } from './call-row.ts'
import { usedBeside } from './charge-call.ts'

/** The stores in which a call is booked. */
export interface SettleServices {
  ledger: Ledger
  settings: SettingsStore
  requestLimits: RequestLimits
  slots: CallSlots
  openCalls: OpenCalls
  bodies: BodyMemory
  log: Log
  /** Told of every call when it counts, and of budgets that it has passed. Never throws. */
  onBooked(call: Call, row: CallRow, warnings: readonly CallRow[]): void
}

const NO_ROWS: readonly CallRow[] = []

/** No word of the client's or the vendor's: the ledger's row has those. */
function logFailure(call: Call, record: CallRecord, log: Log): void {
  const { failure, status, channel } = record
  const facts = { request: call.id, channel: channel?.id ?? null, code: failure?.code, status }
  const ms = Math.round(performance.now() - call.receivedAt)
  log.info({ ...facts, tried: record.tried.length, ms }, 'call failed')
}

const withPurchases = ({ purchases }: CallRecord, usage: Usage | null): Usage | null =>
  purchases ? purchases.addedTo(usage) : usage

/** Writes the row, and the budgets' warnings; it counts at once, so that its hold can be let go. */
function book(call: Call, record: CallRecord, services: SettleServices): Promise<void> {
  const { ledger, requestLimits, settings } = services
  record.usage = withPurchases(record, record.usage)
  const row = callRow(call, record, settings.current)
  if (record.failure) {
    logFailure(call, record, services.log)
    call.capture?.fail()
  }
  // Sessions have no answer of their own that would end it.
  if (call.capture?.frames) call.capture.end(record.failure !== null)
  const recorded = ledger.record(row)
  if (!record.failure && record.status < 400) requestLimits.succeeded(call, settings.current)
  const { token } = call.caller
  const passed = token && hasBudget(token) ? budgetRows(token, row, ledger) : NO_ROWS
  for (const one of passed) void ledger.record(one)
  services.onBooked(call, row, passed)
  return recorded
}

/**
 * Opens the record of one call, which writes the one ledger row when it is settled. The call counts as
 * open until then, so that a shutdown waits for it and, in the end, interrupts it.
 */
export function openRecord(call: Call, services: SettleServices): CallRecord {
  const open: OpenCall = {
    slot: -1,
    id: call.id,
    userId: call.caller.user.id,
    since: call.receivedAt,
    keptAt: 0,
    soFar: () => {
      const usage = withPurchases(record, record.usage ?? record.usageSoFar?.() ?? null)
      const row = rowSoFar(call, record, usage, services.settings.current)
      return { row, reserved: record.hold?.units ?? 0 }
    },
    interrupt(error) {
      if (record.interruptStream) record.interruptStream(error)
      else call.cancellation.cancel(error)
    },
  }
  const record = new CallRecord(call.stream, async (done) => {
    try {
      const booked = book(call, done, services)
      done.hold?.release()
      const beside = usedBeside(call, done).map(({ usage }) => usage)
      done.rate?.end(sumUsage([done.usage, ...beside]))
      await booked
    } finally {
      done.hold?.release()
      done.rate?.end(null)
      releaseFiles(call, services)
      services.slots.leave(done)
      services.openCalls.remove(open)
    }
  })
  services.openCalls.add(open)
  return record
}

/** Books a call that failed and gives the failure that its client is told. */
export async function settleFailure(
  error: unknown,
  call: Call,
  record: CallRecord,
  { log }: Pick<SettleServices, 'log'>,
): Promise<GatewayError> {
  const failure =
    error instanceof GatewayError
      ? error
      : new GatewayError('internal', {
          message: 'The gateway failed on this call.',
          reason: { code: 'gateway_failed_on_call' },
          cause: error,
        })
  if (failure.code === 'internal') log.error({ err: error, request: call.id }, 'call failed')
  record.onCut?.(failure)
  record.fail(failure)
  record.status = failure.status
  call.capture?.refuse()
  await record.settle()
  return failure
}

/**
 * Serves a call with its record open. Its one ledger row is written on every way out: a whole answer is booked before
 * it is given away, a stream before its last event, a failure before it is thrown. So nothing that a client was told
 * is finished is lost, not even when the process is killed.
 */
export async function settle<Served>(
  call: Call,
  services: SettleServices,
  serve: (record: CallRecord) => Promise<Served>,
): Promise<Served> {
  const record = openRecord(call, services)
  try {
    if (services.openCalls.refusal) throw services.openCalls.refusal
    return await serve(record)
  } catch (error) {
    throw await settleFailure(error, call, record, services)
  }
}
