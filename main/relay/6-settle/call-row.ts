import { unixSeconds } from '../../base/clock.ts'
import type { Usage, UsageDetail } from '../../convert/exchange.ts'
import type { CallRow } from '../../store/ledger/ledger.ts'
import type { Settings } from '../../store/state/settings.ts'
import { agentSession } from '../call/agent-session.ts'
import { type Call, isChannelTest } from '../call/call.ts'
import { type CallRecord, STORED_LOSSES } from '../call/call-record.ts'
import { type Charge, chargeCall, modelsOf } from './charge-call.ts'

const CONSUME = 2
const ERROR = 5
/** Characters of a client's name. */
const CLIENT_LENGTH = 120

/** Usage that a vendor counts apart, under the names of the log. */
const detailNames: Readonly<Record<keyof UsageDetail, string>> = {
  cacheWrite1h: 'cache_creation_tokens_1h',
  cacheWrite12h: 'cache_creation_tokens_12h',
  inputAudio: 'audio_input',
  inputImage: 'image_input',
  cachedAudio: 'cached_audio',
  cachedImage: 'cached_image',
  outputAudio: 'audio_output',
  outputImage: 'image_output',
  compactionInput: 'compaction_input',
  compactionOutput: 'compaction_output',
  toolPrompt: 'tool_prompt',
  webSearches: 'web_search_call_count',
  webFetches: 'web_fetch_call_count',
  imageTool: 'image_tool_tokens',
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

/** Who called, and in which of its sessions. */
function addClient(other: Record<string, unknown>, call: Call): void {
  const client = call.headers['user-agent']
  if (client) other.client = client.slice(0, CLIENT_LENGTH)
  const session = agentSession(call)
  if (!session) return
  other.session = session.id
  if (session.agent !== null) other.agent = session.agent
  if (session.isBackground) other.background = true
}

/** The part of a call's record that its row tells. */
export type RowFacts = Pick<
  CallRecord,
  | 'tried'
  | 'route'
  | 'attempt'
  | 'answeredModels'
  | 'usage'
  | 'beside'
  | 'isEstimated'
  | 'isStream'
  | 'firstByteAfter'
  | 'firstTokenAfter'
  | 'status'
  | 'failure'
  | 'extra'
>

/** The log's `other` column (management-api §9): all beyond the fixed columns. */
function otherOf(
  call: Call,
  record: RowFacts,
  { facts }: Charge,
  settings: Readonly<Settings>,
): Record<string, unknown> {
  const { usage, failure, route, attempt } = record
  const admin: Record<string, unknown> = { use_channel: record.tried.map(String) }
  if (route.candidates.length > 0 || route.named) admin.route = route
  if (attempt && attempt.keyIndex !== null) {
    admin.is_multi_key = true
    admin.multi_key_index = attempt.keyIndex
  }
  // Field by field: to spread objects into one another takes longer than all the rest of a row.
  const other: Record<string, unknown> = { request_path: call.path, wire_format: call.format }
  if (call.askedModel !== undefined) other.asked_model = call.askedModel
  if (call.askedBeside) other.asked_beside = Object.fromEntries(call.askedBeside)
  if (call.replayOf !== undefined) other.replay_of = call.replayOf
  addClient(other, call)
  if (record.firstTokenAfter !== null) other.frt = Math.round(record.firstTokenAfter)
  if (usage) {
    other.cache_tokens = usage.cachedInput
    other.cache_creation_tokens = usage.cacheWrite
    other.reasoning_tokens = usage.reasoning
    if (usage.tier) other.service_tier = usage.tier
    addDetail(other, usage)
  } else other.usage_unknown = true
  Object.assign(other, facts)
  if (record.isEstimated) other.estimated = true
  const models = modelsOf(call, record, settings)
  if (models) other.answered_models = models
  if (attempt && attempt.upstreamModel !== null && attempt.upstreamModel !== call.model) {
    other.is_model_mapped = true
    other.upstream_model_name = attempt.upstreamModel
  }
  if (attempt?.conversion) {
    other.upstream_format = attempt.conversion.format
    other.loss = attempt.conversion.losses.slice(0, STORED_LOSSES)
  }
  if (attempt?.cache) other.explicit_cache = attempt.cache
  if (attempt?.upstreamRequestId) other.upstream_request_id = attempt.upstreamRequestId
  if (failure) {
    other.error_code = failure.code
    if (failure.reason) other.error_reason = failure.reason
    other.status_code = record.status
  }
  if (record.status === 499 && failure?.code !== 'call_stopped') other.cancelled = true
  Object.assign(other, record.extra)
  other.admin_info = admin
  return other
}

/** The ledger row of a call. */
export function callRow(entered: Call, record: RowFacts, settings: Readonly<Settings>): CallRow {
  const { usage, beside, attempt } = record
  const call = attempt?.call ?? entered
  const { caller } = call
  const charge = chargeCall(call, record, settings)
  const { group, quota } = charge
  return {
    requestId: call.id,
    createdAt: unixSeconds(),
    type: record.failure && !usage && !beside ? ERROR : CONSUME,
    userId: caller.user.id,
    username: caller.user.username,
    tokenId: caller.token?.id ?? 0,
    tokenName: caller.token?.name ?? call.origin,
    channelId: attempt?.channel.id ?? 0,
    channelName: attempt?.channel.name ?? '',
    model: call.model,
    group,
    ip: caller.ip,
    content: record.failure?.message ?? '',
    quota: isChannelTest(call) ? 0 : (quota ?? 0),
    promptTokens: usage?.input ?? 0,
    completionTokens: usage?.output ?? 0,
    useTime: Math.round(performance.now() - call.receivedAt),
    isStream: record.isStream,
    status: record.status,
    other: JSON.stringify(otherOf(call, record, charge, settings)),
    cachedTokens: usage?.cachedInput ?? 0,
    isUnpriced: charge.isUnpriced,
    isEstimated: record.isEstimated,
  }
}

const ENDED = {
  message: 'The gateway ended in the middle of this call.',
  code: 'gateway_ended',
}

/** The row that a call leaves if the process ends now: charged for its usage as the vendor has reported it by then. */
export function rowSoFar(
  call: Call,
  record: RowFacts,
  usage: Usage | null,
  settings: Readonly<Settings>,
): CallRow {
  const { tried, route, attempt, answeredModels, beside, isStream, extra } = record
  const { firstByteAfter, firstTokenAfter } = record
  const seen: RowFacts = {
    ...{ tried, route, attempt, answeredModels, beside, isStream, extra, usage },
    ...{ firstByteAfter, firstTokenAfter },
    // It would have become more.
    isEstimated: usage !== null,
    failure: ENDED,
    // The client saw no status if its answer had not begun.
    status: firstByteAfter === null ? 0 : record.status,
  }
  return { ...callRow(call, seen, settings), type: ERROR }
}
