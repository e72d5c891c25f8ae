import type { ExchangeRequest } from '../../exchange.ts'
import type { Loss } from '../../loss.ts'
import { FORMAT } from '../wire-fields.ts'

/** Fields that bring a part of the conversation, or of the answer, that lies at Google. */
const fieldRules: Readonly<Record<string, string>> = {
  cachedContent:
    'is kept at Google, and this model’s vendor cannot read it: send the content itself',
  continuationToken: 'goes on from an answer of Google’s, which this model’s vendor does not have',
  'generationConfig.responseMimeType': 'must be application/json or text/plain for this model',
}

/**
 * Throws `invalid_request` for what a request of this format asks and no other format can give: content that
 * is kept at Google, spoken answers, answers in other forms than text and JSON.
 */
export function refuseForeign({ native, modalities }: ExchangeRequest, loss: Loss): void {
  const fields = native?.origin === FORMAT ? native.fields : {}
  for (const [name, rule] of Object.entries(fieldRules)) {
    if (fields[name] !== undefined) loss.refuse(name, rule)
  }
  if (modalities?.includes('audio')) {
    loss.refuse(loss.field('modalities'), 'may not hold AUDIO: only Google’s models speak here')
  }
}
