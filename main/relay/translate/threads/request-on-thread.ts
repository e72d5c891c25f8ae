import { bodyFormat } from '../../../convert/check/body-format.ts'
import { clientConversionOf, traitsOf } from '../../../convert/codecs.ts'
import type { ExchangeRequest, Turn } from '../../../convert/exchange.ts'
import { parseExact } from '../../../convert/json/exact-json.ts'
import { Loss } from '../../../convert/loss.ts'
import { answerTools } from '../../../convert/tools/fit-tools.ts'
import type { Channel } from '../../../store/records/channels.ts'
import { type Call, ownerOf } from '../../call/call.ts'
import type { CacheableBody } from '../../explicit-cache/cacheable-body.ts'
import type { ReasoningMemory } from '../../memory/reasoning-memory.ts'
import { BIG_BODY } from '../../usage/estimated-prompt.ts'
import type { Destination, TranslatedRequest } from '../translate-request.ts'
import { copied } from './copied.ts'
import type { RequestDone } from './job.ts'
import type { Translators } from './translators.ts'

/** A request that another thread has translated. */
export interface ThreadRequest extends CacheableBody {
  request: TranslatedRequest
}

/**
 * Is this a call for another thread? What names earlier answers is not: those are remembered here, and who
 * names them sends little himself.
 */
export function isForThread(call: Call): boolean {
  const { body } = call
  if (body.size < BIG_BODY || call.form) return false
  if (!traitsOf(bodyFormat(call.format, body)).keepsAnswers) return true
  return body.kind('previous_response_id') !== 'string' && !body.includes(itemReference)
}

const itemReference = Buffer.from('"item_reference"')

function translated(call: Call, done: RequestDone): TranslatedRequest {
  const asker = clientConversionOf(bodyFormat(call.format, call.body))
  const loss = new Loss(asker.fieldNames)
  loss.adopt(done.losses.entries, done.losses.uncounted)
  const turns = done.turns === '' ? [] : (parseExact(done.turns) as Turn[])
  return {
    loss,
    asked: parseExact(done.asked) as ExchangeRequest,
    sent: { turns, ...(done.store === undefined ? {} : { store: done.store }) },
    tools: answerTools(done.renamed),
    callIds: done.callIds,
    estimatedInput: done.estimatedInput,
  }
}

/** The threads for large bodies, and the reasoning that they need of the caller's earlier calls. */
export interface ThreadRequestServices {
  translators: Pick<Translators, 'translate'>
  reasoning: Pick<ReasoningMemory, 'snapshot'>
}

/** The call translated by another thread; null where this one has to do it. Throws as the translation does. */
export async function requestOnThread(
  call: Call,
  to: Destination,
  { name, modelMapping, paramOverride }: Channel,
  { translators, reasoning }: ThreadRequestServices,
): Promise<ThreadRequest | null> {
  const { format, verb, model, stream, headers, body } = call
  const owner = ownerOf(call)
  const done = await translators.translate({
    kind: 'request',
    bytes: copied(body.pieces, body.size),
    call: { format, verb, model, stream, headers },
    to,
    channel: { name, modelMapping, paramOverride },
    owner,
    reasoning: reasoning.snapshot(owner),
  })
  if (!done?.body) return null
  const { buffer, byteOffset, byteLength } = done.body
  return {
    request: translated(call, done),
    body: Buffer.from(buffer, byteOffset, byteLength),
    plan: done.plan,
  }
}
