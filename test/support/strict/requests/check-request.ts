import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { IssuedStates } from '../answers/issued-state.ts'
import { checkChat } from './check-chat.ts'
import { checkGenerateContent } from './check-generate-content.ts'
import { checkMessages } from './check-messages.ts'
import { checkResponses } from './check-responses.ts'
import type { Json } from './refusal.ts'

/** Facts of a request that a strict vendor needs besides its body. */
export interface RequestFacts {
  model: string
  headers?: Readonly<Record<string, unknown>>
  /** The reasoning state that the vendor has given away: it takes back no other. */
  issued?: IssuedStates
}

/** Refuses what the strict vendor of a format refuses. */
export function checkRequest(format: WireFormat, body: Json, facts: RequestFacts): void {
  const { model, headers = { 'anthropic-version': '2023-06-01' } } = facts
  const issued = facts.issued ?? new IssuedStates()
  if (format === 'chat') checkChat(body, issued)
  else if (format === 'messages') checkMessages(body, headers, issued)
  else if (format === 'responses') checkResponses(body, issued)
  else checkGenerateContent(body, model, issued)
}
