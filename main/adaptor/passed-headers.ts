import type { CallFormat } from '../convert/call-format.ts'

/** OpenAI's own clients and Codex say more about themselves, which is for OpenAI only. */
const OPENAI_CLIENT =
  /^(?:user-agent|originator|session[-_]id|thread-id|x-codex-.+|x-stainless-.+)$/

/** Harmless anywhere that speaks OpenAI's formats. */
const OPENAI_CALL = /^(?:idempotency-key|x-client-request-id)$/

/** A beta's header and its fields in the body are a pair, so the list is open. */
const ANTHROPIC_CALL = /^(?:anthropic-.+|x-claude-code-.+|idempotency-key)$/

const ANTHROPIC_CLIENT = /^(?:user-agent|x-app|x-stainless-.+)$/

const GEMINI_CLIENT = /^(?:user-agent|x-goog-api-client|x-server-timeout)$/

const openaiRule = { call: OPENAI_CALL, client: OPENAI_CLIENT }
const geminiRule = { call: null, client: GEMINI_CLIENT }

/** A format that is not listed is OpenAI's, or like it. */
const rules: Partial<Record<CallFormat, { call: RegExp | null; client: RegExp }>> = {
  messages: { call: ANTHROPIC_CALL, client: ANTHROPIC_CLIENT },
  'generate-content': geminiRule,
  'embed-content': geminiRule,
  'batch-embed-contents': geminiRule,
}

/**
 * May a client's header go to an upstream that is called in `format`? `isOwner`: the upstream is the
 * vendor whose format it is, so that what its clients say about themselves may pass as well. Both
 * lists are of what may pass: credentials, cookies and lengths never do.
 */
export function passesHeader(name: string, format: CallFormat, isOwner: boolean): boolean {
  const { call, client } = rules[format] ?? openaiRule
  return call?.test(name) === true || (isOwner && client.test(name))
}
