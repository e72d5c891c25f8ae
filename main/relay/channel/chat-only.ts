import type { Channel } from '../../store/records/channels.ts'
import type { Call } from '../call/call.ts'

/** Models that a channel's upstream refused to complete prompts with; forgotten when the channel is edited. */
const refused = new WeakMap<Channel, Set<string>>()

/** Is it known that this model only holds conversations there? */
export const isChatOnly = (channel: Channel, model: string): boolean =>
  refused.get(channel)?.has(model) ?? false

/**
 * Notes that an upstream has no legacy completions for the call's model, where its refusal can mean that:
 * OpenAI answers 404 for a chat model, other hosts for a path that they do not have. True: the call can
 * be tried again as a conversation.
 */
export function noteChatOnly(call: Call, channel: Channel, status: number): boolean {
  if (call.format !== 'completions' || isChatOnly(channel, call.model)) return false
  if (status !== 404 && status !== 405 && status !== 501) return false
  const models = refused.get(channel) ?? new Set()
  refused.set(channel, models.add(call.model))
  return true
}

/** The conversation was refused too, so that nothing is known of the model. */
export function forgetChatOnly({ model }: Call, channel: Channel): void {
  refused.get(channel)?.delete(model)
}
