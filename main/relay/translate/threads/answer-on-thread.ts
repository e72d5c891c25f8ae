import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Part, Usage } from '../../../convert/exchange.ts'
import { parseExact, stringifyExact } from '../../../convert/json/exact-json.ts'
import { askedModel } from '../../call/asked-model.ts'
import type { Call } from '../../call/call.ts'
import { BIG_BODY } from '../../usage/estimated-prompt.ts'
import type { Translation } from '../translation.ts'
import { copied } from './copied.ts'
import { echoedFields } from './echoed-fields.ts'
import type { KeptAnswer } from './job.ts'
import type { Translators } from './translators.ts'

/** A whole answer that another thread has translated. */
export interface ThreadAnswer {
  /** The client's. */
  body: Buffer
  usage: Usage
  /** The vendor told none. */
  isEstimated: boolean
  /** The part that a later turn needs. */
  kept: { answer: readonly Part[]; id: string | null } | null
}

/** The threads for large bodies. */
export interface ThreadServices {
  translators: Pick<Translators, 'translateAnswer'>
}

/** Is this a whole answer for another thread? */
export const isAnswerForThread = (content: Buffer, call: Call): boolean =>
  content.length >= BIG_BODY && call.verb === 'generate'

function keptParts({ parts, texts, answerId }: KeptAnswer): ThreadAnswer['kept'] {
  const answer = (parseExact(parts) as Part[]).map((part, index) =>
    part.type === 'text' || part.type === 'refusal'
      ? { ...part, text: texts.get(index) ?? '' }
      : part,
  )
  return { answer, id: answerId }
}

/**
 * The answer translated by another thread; null where this one has to do it. Throws as the translation does, with
 * what cannot be read told as `upstream_invalid`.
 */
export async function answerOnThread(
  content: Buffer,
  isEvents: boolean,
  call: Call,
  translation: Translation,
  { translators }: ThreadServices,
): Promise<ThreadAnswer | null> {
  // It has just been put together, which takes as long as to copy it.
  await nextTurn()
  const { id, format, stream, asArray } = call
  const done = await translators.translateAnswer({
    kind: 'answer',
    bytes: copied([content], content.length),
    isEvents,
    call: { id, format, model: askedModel(call), stream, asArray },
    from: { format: translation.format, model: translation.model },
    asked: stringifyExact(echoedFields(translation.asked, format)),
    store: translation.store,
    renamed: translation.renamed,
    callIds: translation.callIds,
    estimatedInput: translation.estimatedInput,
    cacheBooking: translation.cacheBooking,
  })
  if (!done) return null
  translation.loss.adopt(done.losses.entries, done.losses.uncounted)
  const { buffer, byteOffset, byteLength } = done.body
  return {
    body: Buffer.from(buffer, byteOffset, byteLength),
    usage: done.usage,
    isEstimated: done.isEstimated,
    kept: done.kept && keptParts(done.kept),
  }
}
