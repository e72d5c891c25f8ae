import type { Usage } from '../../exchange.ts'
import { asObject, asTokenCount } from '../../json/json-value.ts'
import { readChatUsage } from './usage.ts'

/**
 * Usage of an answer or chunk. Some vendors leave the reasoning out of `completion_tokens`, which shows in
 * a total larger than both: then the rest of the total is the output (wire-formats 8.7).
 */
export function decodeChatUsage(answer: unknown): Usage | null {
  const usage = readChatUsage(answer)
  if (!usage) return null
  const body = asObject(answer)
  const raw = asObject(body?.usage) ?? asObject(asObject(body?.x_groq)?.usage)
  const total = asTokenCount(raw?.total_tokens) ?? 0
  const output =
    usage.reasoning > 0 && total > usage.input + usage.output ? total - usage.input : usage.output
  return { ...usage, output }
}
