import { z } from 'zod'
import { GatewayError } from '../../../base/errors.ts'
import { redact, secrets, withoutKey } from '../../../base/log/redact.ts'
import type { AttemptNote } from '../../../relay/call/route-note.ts'
import { proxyFor } from '../../../relay/channel/channel-connection.ts'
import { overrideSecrets } from '../../../relay/channel/channel-secrets.ts'
import { targetOf } from '../../../relay/channel/channel-target.ts'
import { Health } from '../../../relay/circuit/health.ts'
import type { Channel } from '../../../store/records/channels.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { recordId } from '../../operation/input-fields.ts'
import { defineOperation, type OperationContext } from '../../operation/operation.ts'
import { listModels } from '../../server/model-list.ts'
import { channelFields } from '../channel-fields.ts'
import { plainHeaders } from '../channel-models.ts'
import { VendorRefusal } from '../maintenance/ask-vendor.ts'
import { probeChannel } from '../maintenance/channel-test.ts'
import { checkedChannel } from './checked-channel.ts'
import { pickModel } from './pick-model.ts'

/** Milliseconds for the list of models, and for the call. */
const LIST_LIMIT = 15_000
const CALL_LIMIT = 30_000

const checkResult = z
  .strictObject({
    ok: z.boolean(),
    models: z
      .array(z.string())
      .nullable()
      .describe('What the vendor lists for this key; null where it gives no list.'),
    tested_model: z
      .string()
      .nullable()
      .describe('The model of the call; null where none was made.'),
    ms: z.int().describe('Milliseconds that the step took.'),
    status: z.int().nullable().describe('HTTP status of the vendor; null where no answer came.'),
    problem: z
      .string()
      .nullable()
      .describe(
        "The vendor's own sentence where it refused, else the gateway's; null if all is well.",
      ),
    step: z.enum(['models', 'call']).describe('The step that `ms`, `status` and `problem` are of.'),
  })
  .meta({ id: 'ChannelCheck' })

type CheckResult = z.output<typeof checkResult>

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
  const said = attempt?.message ?? ''
  const isSaid =
    vendorStatus !== null && vendorStatus >= 400 && said !== '' && !said.startsWith('<')
  return {
    ms: milliseconds,
    status: vendorStatus ?? (isPassed ? status : null),
    problem: isPassed ? null : isSaid ? said : failure.message,
  }
}

async function check(channel: Channel, context: OperationContext): Promise<CheckResult> {
  const began = performance.now()
  const { models, failure } = await listed(channel, context)
  const told = (problem: string) => redact(withoutKey(problem, channel.key))
  const listMs = Math.round(performance.now() - began)
  const ofList = { ok: false, models, tested_model: null, ms: listMs }
  if (failure) {
    const refusal = refusalOf(failure)
    return {
      ...ofList,
      status: refusal?.vendorStatus ?? null,
      problem: told(refusal?.said || failure.message),
      step: 'models',
    }
  }
  const model = pickModel(channel, models, context.parts.settings.current)
  if (model === null) {
    const problem = 'There is no model to test. Name one that the channel serves.'
    return { ...ofList, status: null, problem, step: 'call' }
  }
  try {
    const { problem, ...facts } = await callOnce(channel, model, context)
    const isPassed = problem === null
    return {
      ...{ ok: isPassed, models, tested_model: model, ...facts },
      ...{ problem: isPassed ? null : told(problem), step: 'call' },
    }
  } catch (error) {
    // No small call shows whether such a model answers.
    if (!(error instanceof GatewayError) || error.code !== 'invalid_params') throw error
    return { ...ofList, status: null, problem: told(error.message), step: 'call' }
  }
}

const checkChannel = defineOperation({
  name: 'channel.check',
  summary:
    "Checks a channel before it is saved: lists the vendor's models, then makes one tiny call. With `id` the fields are changes of a stored channel, whose key is only sent to its stored address.",
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/check' },
  input: z.strictObject({ ...channelFields, id: recordId.optional() }),
  output: checkResult,
  run(input, context): Promise<CheckResult> {
    const channel = checkedChannel(input, context)
    learnSecrets(channel)
    return check(channel, context)
  },
})

export const channelCheckOperations = [checkChannel] as const
