import type { ExchangeRequest, Part } from '../../../convert/exchange.ts'
import { parseExact, stringifyExact } from '../../../convert/json/exact-json.ts'
import { Loss } from '../../../convert/loss.ts'
import { answerTools } from '../../../convert/tools/fit-tools.ts'
import { unreadable } from '../../failure/unreadable.ts'
import { AnswerTranslation } from '../answer-translation.ts'
import { detached } from './detached.ts'
import type { AnswerDone, AnswerJob, KeptAnswer } from './job.ts'

/** If only reasoning is kept, a text part is kept empty: only its place matters. */
function keptAnswer(parts: readonly Part[], id: unknown, keepsText: boolean): KeptAnswer | null {
  if (!keepsText && !parts.some(({ type }) => type === 'call')) return null
  const texts = new Map<number, string>()
  const bare = parts.map((part, index) => {
    if (part.type !== 'text' && part.type !== 'refusal') return part
    if (keepsText) texts.set(index, part.text)
    return { ...part, text: '' }
  })
  return { parts: stringifyExact(bare), texts, answerId: typeof id === 'string' ? id : null }
}

/** Notes what the gateway's own thread is to keep of the answer. */
class NotingTranslation extends AnswerTranslation {
  kept: KeptAnswer | null = null

  override remember(answer: readonly Part[], id: unknown): void {
    this.kept = keptAnswer(answer, id, this.keepsAnswer)
  }
}

/** A whole answer in its client's wire format. Throws as the relay does for what cannot be read. */
export function translateAnswer(job: AnswerJob): AnswerDone {
  const { id, bytes, isEvents, call, from, store, renamed, callIds, estimatedInput } = job
  const loss = new Loss()
  const translation = new NotingTranslation(call, from, {
    loss,
    asked: parseExact(job.asked) as ExchangeRequest,
    sent: store === undefined ? {} : { store },
    tools: answerTools(renamed),
    callIds,
    estimatedInput,
  })
  translation.cacheBooking = job.cacheBooking
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const response = decoded(translation, content, isEvents)
  return {
    kind: 'answer',
    id,
    body: detached(translation.encode(response)),
    usage: response.usage ?? translation.estimateUsage(response),
    isEstimated: response.usage === null,
    kept: translation.kept,
    losses: { entries: loss.entries, uncounted: loss.uncounted },
  }
}

function decoded(translation: AnswerTranslation, content: Buffer, isEvents: boolean) {
  try {
    return isEvents ? translation.decodeEvents(content) : translation.decodeWhole(content)
  } catch (error) {
    throw unreadable(error)
  }
}
