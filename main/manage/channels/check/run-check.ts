import { GatewayError } from '../../../base/errors.ts'
import { redact, secrets, withoutKey } from '../../../base/log/redact.ts'
import type { Why } from '../../../base/reason.ts'
import type { AttemptNote } from '../../../relay/call/route-note.ts'
import { proxyFor } from '../../../relay/channel/channel-connection.ts'
import { overrideSecrets } from '../../../relay/channel/channel-secrets.ts'
import { targetOf } from '../../../relay/channel/channel-target.ts'
import { Health } from '../../../relay/circuit/health.ts'
import type { Channel } from '../../../store/records/channels.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import type { OperationContext } from '../../operation/operation.ts'
import { listModels } from '../../server/model-list.ts'
import { plainHeaders } from '../channel-models.ts'
import { previewOf } from '../channel-record.ts'
import { VendorRefusal } from '../maintenance/ask-vendor.ts'
import { probeChannel } from '../maintenance/channel-test.ts'
import { whyWithoutKey } from '../why-without-key.ts'
import type { CheckResult } from './check-result.ts'
import type { CheckedChannel } from './checked-channel.ts'
import { pickModel } from './pick-model.ts'

/** Milliseconds for the list of models, and for the call. */
const LIST_LIMIT = 15_000
const CALL_LIMIT = 30_000

/** The channel's own limit until an answer begins, where that is shorter. */
function limitOf({ settings }: Channel, otherwise: number): number {
  const own = settings.first_byte_seconds
  return typeof own === 'number' && own > 0 ? Math.min(own * 1000, otherwise) : otherwise
}

/** From now on nothing that this process tells or writes holds the channel's secrets, stored or not. */
function learnSecrets(channel: Channel): void {
  const list = () => [channel.key, ...overrideSecrets(channel)]
  const unfollow = secrets.follow({ version: () => channel, list })
  secrets.learn()
  unfollow()
}

/** A vendor without this endpoint, or that keeps it from some keys, may well answer calls. */
const saysNothingOfCalls = (error: GatewayError): boolean =>
  error.code === 'upstream_invalid' ||
  (error instanceof VendorRefusal
    ? error.vendorStatus >= 400 && error.vendorStatus !== 401
    : error.message.startsWith(NO_JSON))
const NO_JSON = 'The upstream did not answer with JSON'

type OneResult = Omit<CheckResult, 'keys' | 'refused_key'>

interface Listing {
  models: string[] | null
  /** Why the check ends here, or null. */
  failure: GatewayError | null
}

async function listed(channel: Channel, { parts, signal }: OperationContext): Promise<Listing> {
  const target = targetOf(channel)
  const headers = plainHeaders(channel.headerOverride, target.key)
  const way = (url: string) => proxyFor(channel, url, parts)
  const timeLimit = limitOf(channel, LIST_LIMIT)
  try {
    return { models: await listModels(target, headers, { way, signal, timeLimit }), failure: null }
  } catch (error) {
    if (!(error instanceof GatewayError) || signal.aborted) throw error
    const cause = error.cause instanceof GatewayError ? error.cause : error
    return { models: null, failure: saysNothingOfCalls(cause) ? null : error }
  }
}

const refusalOf = (error: GatewayError): VendorRefusal | null =>
  [error, error.cause].find((one): one is VendorRefusal => one instanceof VendorRefusal) ?? null

/** One call with a health of its own: what is not stored has none, and what is stored may differ. */
async function callOnce(channel: Channel, model: string, context: OperationContext) {
  const { parts } = context
  let attempt: AttemptNote | undefined
  let status: number | null = null
  const own: GatewayParts = {
    ...parts,
    health: new Health(() => parts.settings.current),
    channels: {
      ...parts.channels,
      byId: (id) => (id === channel.id ? channel : parts.channels.byId(id)),
    },
    onBooked(call, row, warnings) {
      status = row.status
      attempt = JSON.parse(row.other).admin_info?.route?.attempts?.at(-1)
      parts.onBooked(call, row, warnings)
    },
  }
  const wish = { model, timeLimit: limitOf(channel, CALL_LIMIT) }
  const { failure, milliseconds } = await probeChannel(channel, wish, context, own)
  const isPassed = failure === null
  const vendorStatus = attempt?.status ?? null
  // A page or a redirect says nothing by itself.
  const message = attempt?.message ?? ''
  const isVendors =
    vendorStatus !== null && vendorStatus >= 400 && message !== '' && !message.startsWith('<')
  return {
    ms: milliseconds,
    status: vendorStatus ?? (isPassed ? status : null),
    problem: isPassed ? null : isVendors ? message : failure.message,
    why: (!isVendors && failure?.reason) || null,
  }
}

/** One key: the list of models, then one tiny call. */
async function checkOne(channel: Channel, context: OperationContext): Promise<OneResult> {
  const began = performance.now()
  const { models, failure } = await listed(channel, context)
  const cleaned = (problem: string) => redact(withoutKey(problem, channel.key))
  const cleanedWhy = (why: Why | null | undefined) => (why ? whyWithoutKey(why, channel.key) : null)
  const listMs = Math.round(performance.now() - began)
  const ofList = { ok: false, models, tested_model: null, ms: listMs }
  if (failure) {
    const refusal = refusalOf(failure)
    return {
      ...ofList,
      status: refusal?.vendorStatus ?? null,
      problem: cleaned(refusal?.said || failure.message),
      why: refusal?.said ? null : cleanedWhy(failure.reason),
      step: 'models',
    }
  }
  const model = pickModel(channel, models, context.parts.settings.current)
  if (model === null) {
    const problem = 'There is no model to test. Name one that the channel serves.'
    return {
      ...ofList,
      ...{ status: null, problem, why: { code: 'no_model_to_test' }, step: 'call' },
    }
  }
  try {
    const { problem, why, ...facts } = await callOnce(channel, model, context)
    const isPassed = problem === null
    return {
      ...{ ok: isPassed, models, tested_model: model, ...facts },
      ...{ problem: isPassed ? null : cleaned(problem), why: cleanedWhy(why), step: 'call' },
    }
  } catch (error) {
    // No small call shows whether such a model answers.
    if (!(error instanceof GatewayError) || error.code !== 'invalid_params') throw error
    return {
      ...ofList,
      status: null,
      problem: cleaned(error.message),
      why: cleanedWhy(error.reason),
      step: 'call',
    }
  }
}

/** Calls running at once, so that no vendor sees a burst. */
const AT_ONCE = 4

/**
 * Checks a channel with each of its keys, and stores nothing. Ends at the first key, in their order, that is refused:
 * the others may still be fine, but the list as a whole isn't.
 */
export async function runCheck(
  { channel, keys }: CheckedChannel,
  context: OperationContext,
): Promise<CheckResult> {
  learnSecrets({ ...channel, key: keys.join('\n') })
  const withKey = (key: string): Channel => ({ ...channel, key })
  const first = await checkOne(withKey(keys[0] ?? ''), context)
  const resultOf = (result: OneResult, index: number): CheckResult => ({
    ...result,
    keys: keys.length,
    refused_key:
      result.ok || keys.length < 2
        ? null
        : { number: index + 1, preview: previewOf(keys[index] ?? '') },
  })
  if (!first.ok) return resultOf(first, 0)
  for (let at = 1; at < keys.length; at += AT_ONCE) {
    const some = keys.slice(at, at + AT_ONCE)
    const results = await Promise.all(some.map((key) => checkOne(withKey(key), context)))
    const failed = results.findIndex(({ ok }) => !ok)
    if (failed >= 0) return resultOf(results[failed] as OneResult, at + failed)
  }
  return resultOf(first, 0)
}
