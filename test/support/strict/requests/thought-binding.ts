import { createHash } from 'node:crypto'
import type { IssuedStates } from '../answers/issued-state.ts'
import { isObject, type Json, refuse } from './refusal.ts'

/** Beside it a request may say what happens to a thought whose prefix has changed. */
export const BINDING_BETA = 'thinking-binding-controls-2026-08-01'

/** What stands before the thoughts of the message at `index`: system, tools and earlier messages, but for cache marks. */
export function prefixOf({ system, tools, messages }: Json, index: number): string {
  const before = { system, tools, messages: (messages as Json[]).slice(0, index) }
  const text = JSON.stringify(before, (name, value: unknown) => {
    if (name === 'cache_control') return undefined
    const isText = typeof value === 'string' && (name === 'content' || name === 'system')
    return isText ? [{ type: 'text', text: value }] : value
  })
  return createHash('sha256').update(text).digest('hex')
}

/**
 * A thought counts only behind what it was made behind:
 * https://platform.claude.com/docs/build-with-claude/preserved-thinking/prefix-checks
 */
export function checkBinding(body: Json, mayDrop: boolean, issued: IssuedStates): void {
  for (const [index, { content }] of (body.messages as Json[]).entries()) {
    if (!Array.isArray(content)) continue
    for (const [at, block] of content.entries()) {
      const state = isObject(block) ? issued.get(block.signature ?? block.data) : undefined
      if (!state?.prefix || state.prefix === prefixOf(body, index)) continue
      const path = `messages.${index}.content.${at}`
      if (!mayDrop) {
        refuse(
          path,
          `Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation.`,
        )
      }
      issued.dropped.push(path)
    }
  }
}
