import type { ExchangeRequest } from '../../exchange.ts'
import { asArray, asObject } from '../../json/json-value.ts'
import type { Loss } from '../../loss.ts'

/**
 * Refuses what holds a part of the conversation, or of the work, that only Anthropic can read: compacted turns,
 * threads, containers and MCP servers. What merely helps (context editing, fallbacks) is dropped elsewhere.
 */
export function refuseForeign({ native, turns }: ExchangeRequest, loss: Loss): void {
  const fields = native?.origin === 'messages' ? native.fields : {}
  const because = 'this model’s vendor has no such thing'
  if (asArray(fields.mcp_servers).length > 0) {
    loss.refuse('mcp_servers', `must be left out: ${because}`)
  }
  for (const name of ['container', 'thread']) {
    if (fields[name] !== undefined) loss.refuse(name, `must be left out: ${because}`)
  }
  for (const { parts, at } of turns) {
    for (const part of parts) {
      if (part.type !== 'native' || asObject(part.value)?.type !== 'compaction') continue
      loss.refuse(
        part.at ?? at ?? 'messages',
        `must not be a compaction: only Anthropic can read it`,
      )
    }
  }
}
