import { redact } from '../../base/log/redact.ts'
import type { UpstreamHeaders } from '../../upstream/request.ts'

/**
 * Headers of vendors that their own clients read (contract: wire-formats §1.7). All others stay here: one that leads
 * elsewhere (`location`, `link`, `alt-svc`) or speaks for the site (`set-cookie`, `clear-site-data`) would speak for
 * the gateway.
 */
const passed = new Set([
  'content-type',
  // openai 6.49 and @anthropic-ai/sdk 1.11 obey these.
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  // Ids that a vendor's support asks for: OpenAI's, Anthropic's, Azure's, OpenRouter's.
  'x-request-id',
  'x-oai-request-id',
  'request-id',
  'apim-request-id',
  'x-generation-id',
  // https://platform.openai.com/docs/api-reference/debugging-requests
  'openai-model',
  'x-openai-model',
  'openai-organization',
  'openai-processing-ms',
  'openai-project',
  'openai-version',
  // @anthropic-ai/sdk 1.11 gives both with an answer and notes them in its traces.
  'anthropic-organization-id',
  'anthropic-workspace-id',
  // https://ai.google.dev/gemini-api/docs/priority-inference
  'x-gemini-service-tier',
  // Codex, besides `x-codex-*`.
  'x-models-etag',
  'x-reasoning-included',
  // The upstream is another Switchyard.
  'x-switchyard-loss',
])

/**
 * Limits: OpenAI's and those like it, the IETF's, Anthropic's with those of its Priority Tier and its fast mode
 * (https://docs.anthropic.com/en/api/rate-limits), and Codex's, whose turn state is named so as well.
 */
const PASSED = /^(?:(?:x-)?ratelimit(?:-|$)|anthropic-(?:ratelimit|priority|fast)-|x-codex-)/

/** Whether a name passes, for the few names that vendors send with every answer. */
const verdicts = new Map<string, boolean>()
/** Entries. */
const MOST_VERDICTS = 500

function passes(name: string): boolean {
  let verdict = verdicts.get(name)
  if (verdict === undefined) {
    verdict = passed.has(name) || PASSED.test(name)
    if (verdicts.size < MOST_VERDICTS) verdicts.set(name, verdict)
  }
  return verdict
}

/** Values of nearly every answer, which hold no secret. */
const plainValues = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'text/event-stream',
  'text/event-stream; charset=utf-8',
])

const withoutSecrets = (value: string): string => (plainValues.has(value) ? value : redact(value))

/** The vendor's headers that are the client's to see, without any secret that the vendor quotes in them. */
export function answerHeaders(upstream: UpstreamHeaders): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const name in upstream) {
    const value = upstream[name]
    if (value === undefined || !passes(name)) continue
    headers[name] = Array.isArray(value) ? value.map(withoutSecrets) : withoutSecrets(value)
  }
  return headers
}

/** Characters of a vendor's id of a call: more than any has. */
const LONGEST_ID = 200

/** The vendor's id of a call, for its support. Callers read it in their log, so secrets are taken out here too. */
export function requestIdIn(upstream: UpstreamHeaders): string | null {
  const id = upstream['x-request-id'] ?? upstream['request-id']
  return typeof id === 'string' ? redact(id).slice(0, LONGEST_ID) : null
}
