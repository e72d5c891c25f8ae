import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { MAX_QUOTA } from '../../base/quota.ts'
import type { Usage, UsageDetail } from '../../convert/exchange.ts'
import { sumUsage } from '../../convert/other/sum-usage.ts'
import type { CallRow } from '../../store/ledger/ledger.ts'
import { releaseFiles } from '../3-prepare/fetch-files.ts'
import type { Answer } from '../call/answer.ts'
import { type Call, isChannelTest, type RelayParts } from '../call/call.ts'
import { Meter } from '../call/call-record.ts'
import { groupFactor, usedGroup } from '../channel/groups.ts'
import { budgetRows, hasBudget } from '../limits/budget.ts'
import type { OpenCall } from '../limits/open-calls.ts'
import { expectedCost } from '../pricing/expected-cost.ts'
import { type Price, peakFactor, priceFor } from '../pricing/model-price.ts'
import { priceFacts, quotaOf } from '../pricing/price.ts'

const CONSUME = 2
const ERROR = 5
/** Losses of a conversion that are kept with a call; the rest says nothing new. */
const STORED_LOSSES = 50

/** What a vendor counts apart, under the names of the log. */
const detailNames: Readonly<Record<keyof UsageDetail, string>> = {
  cacheWrite1h: 'cache_creation_tokens_1h',
  inputAudio: 'audio_input',
  inputImage: 'image_input',
  outputAudio: 'audio_output',
  outputImage: 'image_output',
  compactionInput: 'compaction_input',
  compactionOutput: 'compaction_output',
  toolPrompt: 'tool_prompt',
  webSearches: 'web_search_call_count',
  webFetches: 'web_fetch_call_count',
  searchUnits: 'search_units',
  seconds: 'seconds',
  characters: 'characters',
  images: 'images',
  cacheWriteRead: 'cache_creation_read_tokens',
  cacheStorage: 'cache_storage_token_hours',
}

function addDetail(other: Record<string, unknown>, { detail }: Usage): void {
  for (const name in detail) {
    const key = name as keyof UsageDetail
    other[detailNames[key]] = detail[key]
  }
}

/** What a call costs, and what that was worked out from. */
interface Charge {
  group: string
  /** Units; null where nobody knows: it has no price, or what it used was not told. */
  quota: number | null
  /** Part of what was used has no price. */
  isUnpriced: boolean
  facts: Record<string, unknown>
}

const NO_ROWS: readonly CallRow[] = []

const NOTHING: Usage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }

/** Was something answered that costs something? A session in which nothing was said has used nothing. */
const isAnswered = ({ verb, format }: Call, { failure, status }: Meter): boolean =>
  verb === 'generate' && format !== 'realtime' && failure === null && status < 400

/** Units for a call; null where its price says nothing of what was used, or that is not known. */
function quotaOfCall(call: Call, price: Price, usage: Usage | null, factor: number): number | null {
  if (!usage) return price.call === null ? null : quotaOf(price, NOTHING, factor)
  const quota = quotaOf(price, usage, factor)
  // Accepting the ratio of what has no price makes nothing free: then what it was taken to cost holds.
  return price.source === 'unset' && quota === null
    ? expectedCost(call, price, 0, factor).likely
    : quota
}

/** By the dearest of these models; one without a price makes nothing free. */
function dearestCharge(
  models: readonly string[] | null,
  usage: Usage | null,
  call: Call,
  meter: Meter,
  parts: RelayParts,
): Charge {
  let charge = chargeAs(models?.[0] ?? call.model, usage, call, meter, parts)
  if (!models) return charge
  for (const model of models.slice(1)) {
    const other = chargeAs(model, usage, call, meter, parts)
    if ((other.quota ?? -1) > (charge.quota ?? -1)) charge = other
  }
  return charge
}

function chargeOf(call: Call, meter: Meter, parts: RelayParts): Charge {
  const { answeredModels, usage, beside } = meter
  const charge = dearestCharge(answeredModels, usage, call, meter, parts)
  if (!beside) return charge
  const other = dearestCharge(beside.models, beside.usage, call, meter, parts)
  const { quota } = other
  return {
    group: charge.group,
    quota: Math.min(MAX_QUOTA, (quota ?? 0) + (charge.quota ?? 0)),
    isUnpriced: charge.isUnpriced || other.isUnpriced,
    facts: { ...charge.facts, beside: { models: beside.models, quota, ...other.facts } },
  }
}

function chargeAs(
  model: string,
  usage: Usage | null,
  call: Call,
  meter: Meter,
  parts: RelayParts,
): Charge {
  const { channel } = meter
  const settings = parts.settings.current
  const { user } = call.caller
  const group = usedGroup(call, channel, settings)
  if (!usage && !isAnswered(call, meter)) return { group, quota: 0, isUnpriced: false, facts: {} }
  const { factor, special } = groupFactor(user, group, settings)
  const price = priceFor(user, model, settings)
  if (!price) return { group, quota: null, isUnpriced: true, facts: { unpriced: true } }
  const peak = peakFactor(price, unixSeconds())
  const quota = quotaOfCall(call, price, usage, factor * peak)
  if (quota === null)
    return { group, quota, isUnpriced: true, facts: usage ? { unpriced: true } : {} }
  return {
    group,
    quota,
    isUnpriced: false,
    facts: {
      ...priceFacts(price, usage ?? NOTHING),
      ...(peak === 1 ? {} : { peak_factor: peak }),
      group_ratio: factor,
      user_group_ratio: special ? factor : -1,
      // The gateway's own test is the owner's to pay at the vendor, and nobody's here.
      ...(isChannelTest(call) ? { test_cost: quota } : {}),
    },
  }
}

/** The log's `other` column (management-api §9): what is known beyond the fixed columns. */
function otherOf(call: Call, meter: Meter, { facts }: Charge): Record<string, unknown> {
  const { usage, failure, conversion, route } = meter
  const admin: Record<string, unknown> = { use_channel: meter.tried.map(String) }
  if (route.candidates.length > 0) admin.route = route
  if (meter.keyIndex !== null) {
    admin.is_multi_key = true
    admin.multi_key_index = meter.keyIndex
  }
  // Field by field: to spread objects into one another takes longer than all the rest of a row.
  const other: Record<string, unknown> = { request_path: call.path, wire_format: call.format }
  if (meter.firstByteAfter !== null) other.frt = Math.round(meter.firstByteAfter)
  if (usage) {
    other.cache_tokens = usage.cachedInput
    other.cache_creation_tokens = usage.cacheWrite
    other.reasoning_tokens = usage.reasoning
    addDetail(other, usage)
  } else other.usage_unknown = true
  Object.assign(other, facts)
  if (meter.isEstimated) other.estimated = true
  if (meter.answeredModels) other.answered_models = meter.answeredModels
  if (meter.upstreamModel !== null && meter.upstreamModel !== call.model) {
    other.is_model_mapped = true
    other.upstream_model_name = meter.upstreamModel
  }
  if (conversion) {
    other.upstream_format = conversion.format
    other.loss = conversion.losses.slice(0, STORED_LOSSES)
  }
  if (meter.cache) other.explicit_cache = meter.cache
  if (meter.upstreamRequestId) other.upstream_request_id = meter.upstreamRequestId
  if (failure) {
    other.error_code = failure.code
    other.status_code = meter.status
  }
  if (meter.status === 499) other.cancelled = true
  Object.assign(other, meter.extra)
  other.admin_info = admin
  return other
}

function rowOf(call: Call, meter: Meter, parts: RelayParts): CallRow {
  const { caller } = call
  const { usage, beside, channel } = meter
  const charge = chargeOf(call, meter, parts)
  const { group, quota } = charge
  return {
    requestId: call.id,
    createdAt: unixSeconds(),
    type: meter.failure && !usage && !beside ? ERROR : CONSUME,
    userId: caller.user.id,
    username: caller.user.username,
    tokenId: caller.token?.id ?? 0,
    tokenName: caller.token?.name ?? call.origin,
    channelId: channel?.id ?? 0,
    channelName: channel?.name ?? '',
    model: call.model,
    group,
    ip: caller.ip,
    content: meter.failure?.message ?? '',
    quota: isChannelTest(call) ? 0 : (quota ?? 0),
    promptTokens: usage?.input ?? 0,
    completionTokens: usage?.output ?? 0,
    useTime: Math.round(performance.now() - call.receivedAt),
    isStream: call.stream,
    status: meter.status,
    other: JSON.stringify(otherOf(call, meter, charge)),
    cachedTokens: usage?.cachedInput ?? 0,
    isUnpriced: charge.isUnpriced,
  }
}

/** No word of the client's or the vendor's: the ledger's row has those. */
function logFailure(call: Call, meter: Meter, { log }: RelayParts): void {
  const { failure, status, channel } = meter
  const facts = { request: call.id, channel: channel?.id ?? null, code: failure?.code, status }
  const ms = Math.round(performance.now() - call.receivedAt)
  log.info({ ...facts, tried: meter.tried.length, ms }, 'call failed')
}

const withPurchases = ({ purchases }: Meter, usage: Usage | null): Usage | null =>
  purchases ? purchases.addedTo(usage) : usage

const ENDED = {
  message: 'The gateway ended in the middle of this call.',
  code: 'gateway_ended',
}

/** The row that a call leaves if the process ends now: charged for what the vendor has reported by then. */
function rowSoFar(call: Call, meter: Meter, parts: RelayParts): CallRow {
  const usage = withPurchases(meter, meter.usage ?? meter.usageSoFar?.() ?? null)
  const seen: Meter = Object.create(meter, {
    usage: { value: usage },
    // It would have become more.
    isEstimated: { value: usage !== null },
    failure: { value: ENDED },
    // Who had no answer by then saw none.
    status: { value: meter.firstByteAfter === null ? 0 : meter.status },
  })
  return { ...rowOf(call, seen, parts), type: ERROR }
}

/** Writes the row, and what it means for budgets; it counts at once, so that what was held can be let go. */
function book(call: Call, meter: Meter, parts: RelayParts): Promise<void> {
  const { ledger, requestLimits, settings } = parts
  meter.usage = withPurchases(meter, meter.usage)
  const row = rowOf(call, meter, parts)
  if (meter.failure) logFailure(call, meter, parts)
  const recorded = ledger.record(row)
  if (!meter.failure && meter.status < 400) requestLimits.succeeded(call, settings.current)
  const { token } = call.caller
  const passed = token && hasBudget(token) ? budgetRows(token, row, ledger) : NO_ROWS
  for (const one of passed) void ledger.record(one)
  parts.onBooked(call, row, passed)
  return recorded
}

/**
 * Opens the books of one call: its meter writes the one ledger row when it is settled. The call counts as
 * open until then, so that a shutdown waits for it and, in the end, interrupts it.
 */
export function openMeter(call: Call, parts: RelayParts): Meter {
  const open: OpenCall = {
    slot: -1,
    since: call.receivedAt,
    keptAt: 0,
    soFar: () => ({ row: rowSoFar(call, meter, parts), reserved: meter.hold?.units ?? 0 }),
    interrupt(error) {
      if (meter.interruptStream) meter.interruptStream(error)
      else call.cancellation.cancel(error)
    },
  }
  const meter = new Meter(async (done) => {
    try {
      const booked = book(call, done, parts)
      done.hold?.release()
      const { usage, beside } = done
      done.rate?.end(beside ? sumUsage([usage, beside.usage]) : usage)
      await booked
    } finally {
      done.hold?.release()
      done.rate?.end(null)
      releaseFiles(call, parts)
      parts.slots.leave(done)
      parts.openCalls.remove(open)
    }
  })
  parts.openCalls.add(open)
  return meter
}

/** Books a call that failed and gives what its client is to be told. */
export async function settleFailure(
  error: unknown,
  call: Call,
  meter: Meter,
  parts: RelayParts,
): Promise<GatewayError> {
  const failure =
    error instanceof GatewayError
      ? error
      : new GatewayError('internal', { message: 'The gateway failed on this call.', cause: error })
  if (failure.code === 'internal') parts.log.error({ err: error, request: call.id }, 'call failed')
  meter.onCut?.(failure)
  meter.fail(failure)
  meter.status = failure.status
  await meter.settle()
  return failure
}

/**
 * Serves a call and writes its one ledger row, on every way out: a whole answer is booked before it is
 * given away, a stream before its last event, a failure before it is thrown. What a client has been told
 * is finished is therefore never lost, not even when the process is killed.
 */
export async function settle(
  call: Call,
  parts: RelayParts,
  serve: (meter: Meter) => Promise<Answer>,
): Promise<Answer> {
  const meter = openMeter(call, parts)
  try {
    if (parts.openCalls.refusal) throw parts.openCalls.refusal
    const answer = await serve(meter)
    if (Buffer.isBuffer(answer.body)) await meter.settle()
    return answer
  } catch (error) {
    throw await settleFailure(error, call, meter, parts)
  }
}
