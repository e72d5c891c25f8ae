import type { AnswerTarget } from '../../conversion.ts'
import type { ExchangeRequest } from '../../exchange.ts'
import { openaiTier } from '../../openai/openai-tier.ts'

/** Ids of answers in OpenAI's form. */
export const answerId = (callId: string): string => `chatcmpl-${callId}`

export function tierFields(tier: string | undefined): { service_tier?: string } {
  const known = tier === undefined ? undefined : openaiTier(tier)
  return known === undefined ? {} : { service_tier: known }
}

/** Fields that every answer and chunk begins with. */
export const envelope = (target: AnswerTarget, object: string) => ({
  id: answerId(target.id),
  object,
  created: target.created,
  model: target.model,
})

/**
 * Names of the fields for readable thoughts: `reasoning` too for a client that asked in OpenRouter's words,
 * none for one that asked not to see them.
 */
export function thoughtNames({ origin, reasoning }: ExchangeRequest): readonly string[] {
  if (reasoning?.isShown === false) return []
  return origin === 'chat' && reasoning?.isShown === true
    ? ['reasoning_content', 'reasoning']
    : ['reasoning_content']
}
