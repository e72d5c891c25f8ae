/**
 * Leaves out a thought whose prefix has changed, where the model would answer 400:
 * https://platform.claude.com/docs/build-with-claude/preserved-thinking/prefix-checks
 */
export const DROP_UNREADABLE = {
  block_binding: { prefix_mismatch_behavior: 'drop_block' },
} as const

/** Within a text the quotes are escaped. */
const FIELD = '"block_binding":'

/** The header that goes with it; empty for a body without. */
export const bindingHeaders = (body: Buffer): Readonly<Record<string, string>> =>
  body.includes(FIELD) ? { 'anthropic-beta': 'thinking-binding-controls-2026-08-01' } : {}
