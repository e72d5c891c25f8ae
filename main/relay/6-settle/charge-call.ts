import { unixSeconds } from '../../base/clock.ts'
import { MAX_QUOTA } from '../../base/quota.ts'
import { helperModels } from '../../convert/check/named-models.ts'
import type { Usage } from '../../convert/exchange.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Settings } from '../../store/state/settings.ts'
import { type Call, isChannelTest } from '../call/call.ts'
import type { CallRecord, UsageBeside } from '../call/call-record.ts'
import { groupFactor, usedGroup } from '../channel/groups.ts'
import { namesHere } from '../channel/other-models.ts'
import { expectedCost } from '../pricing/expected-cost.ts'
import { type Price, peakFactor, priceFor, priceOf } from '../pricing/model-price.ts'
import { priceFacts, quotaOf } from '../pricing/price.ts'

/** The cost of a call, and the facts that it was worked out from. */
export interface Charge {
  group: string
  /** Units; null where nobody knows: it has no price, or its usage was not told. */
  quota: number | null
  /** Part of the usage has no price. */
  isUnpriced: boolean
  facts: Record<string, unknown>
}

/** The part of a call's record that its cost depends on. */
export type ChargedRecord = Pick<
  CallRecord,
  'answeredModels' | 'usage' | 'beside' | 'attempt' | 'failure' | 'status'
>

const NOBODY: readonly UsageBeside[] = []

const NOTHING: Usage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }

/** Was something answered that costs something? A session in which nothing was said has used nothing. */
const isAnswered = ({ verb, format }: Call, { failure, status }: ChargedRecord): boolean =>
  verb === 'generate' && format !== 'realtime' && failure === null && status < 400

/** Units for a call; null where its price says nothing of its usage, or that is not known. */
function quotaOfCall(call: Call, price: Price, usage: Usage | null, factor: number): number | null {
  if (!usage) return price.call === null ? null : quotaOf(price, NOTHING, factor)
  const quota = quotaOf(price, usage, factor)
  // Accepting the ratio of a model without a price makes nothing free: then its expected cost holds.
  return price.source === 'unset' && quota === null
    ? expectedCost(call, price, 0, factor).likely
    : quota
}

function chargeAs(
  model: string,
  usage: Usage | null,
  call: Call,
  record: ChargedRecord,
  settings: Readonly<Settings>,
): Charge {
  const { user } = call.caller
  const group = usedGroup(call, record.attempt?.channel ?? null, settings)
  if (!usage && !isAnswered(call, record)) return { group, quota: 0, isUnpriced: false, facts: {} }
  if (usage?.isUnbilled) return { group, quota: 0, isUnpriced: false, facts: { unbilled: true } }
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

/** By the dearest of these models; one without a price makes nothing free. */
function dearestCharge(
  models: readonly string[] | null,
  usage: Usage | null,
  ...rest: [call: Call, record: ChargedRecord, settings: Readonly<Settings>]
): Charge {
  const [call] = rest
  let charge = chargeAs(models?.[0] ?? call.model, usage, ...rest)
  if (!models) return charge
  for (const model of models.slice(1)) {
    const other = chargeAs(model, usage, ...rest)
    if ((other.quota ?? -1) > (charge.quota ?? -1)) charge = other
  }
  return charge
}

/**
 * Usage of other models: those that transcribe in a session, one that a tool asked, such as Claude's advisor, or one
 * that refused in the middle of its answer. The client may have names of its own for these, which have their price here.
 */
export function usedBeside(
  call: Call,
  { beside, usage, attempt }: Pick<ChargedRecord, 'beside' | 'usage' | 'attempt'>,
): readonly UsageBeside[] {
  if (beside) return [beside]
  if (!usage?.others) return NOBODY
  const named = [...new Set(helperModels(call.body).map(({ name }) => name))]
  return usage.others.map((other) => ({
    models:
      named.length === 1 && usage.answeredBy === undefined
        ? named
        : namesHere(call, other.model, attempt?.channel ?? null),
    usage: other.usage,
  }))
}

/**
 * The model that answered in place of a retired one, as Google has it: the call has its price
 * (https://ai.google.dev/gemini-api/docs/deprecations), where that is known and the owner has set none for the asked
 * one. Null for any other answer.
 */
function successorOf(
  reported: string,
  call: Call,
  channel: Channel | null,
  settings: Readonly<Settings>,
): readonly string[] | null {
  const names = namesHere(call, reported, channel)
  if (names.includes(call.model) || priceOf(call.model, settings)?.source === 'own') return null
  return priceOf(reported, settings) ? names : null
}

/** The models one of which has answered, if it's not plainly the one that was asked for; the dearest counts. */
export function modelsOf(
  call: Call,
  { answeredModels, usage, attempt }: Pick<ChargedRecord, 'answeredModels' | 'usage' | 'attempt'>,
  settings: Readonly<Settings>,
): readonly string[] | null {
  const channel = attempt?.channel ?? null
  const { answeredBy: by, reportedModel: reported } = usage ?? {}
  if (by !== undefined) return namesHere(call, by, channel)
  if (answeredModels || reported === undefined) return answeredModels
  return successorOf(reported, call, channel, settings)
}

/** The cost of a call, that of other models in it included. */
export function chargeCall(
  call: Call,
  record: ChargedRecord,
  settings: Readonly<Settings>,
): Charge {
  const own = dearestCharge(modelsOf(call, record, settings), record.usage, call, record, settings)
  const besides = usedBeside(call, record)
  if (besides.length === 0) return own
  const others = besides.map(({ models, usage }) => ({
    models,
    charge: dearestCharge(models, usage, call, record, settings),
  }))
  const quota = others.reduce((sum, { charge }) => sum + (charge.quota ?? 0), own.quota ?? 0)
  return {
    group: own.group,
    quota: Math.min(MAX_QUOTA, quota),
    isUnpriced: own.isUnpriced || others.some(({ charge }) => charge.isUnpriced),
    facts: {
      ...own.facts,
      beside: others.map(({ models, charge }) => ({
        ...{ models, quota: charge.quota },
        ...charge.facts,
      })),
    },
  }
}
