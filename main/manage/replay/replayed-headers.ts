import type { CapturedHeaders } from '../../capture/capture.ts'
import { plainHeaders } from '../../inspect/export/plain-call.ts'

/**
 * Headers of one call or session: a vendor answers a second call of the same idempotency key with the first
 * one's answer, and a replay belongs to no session.
 */
const ofThatCall =
  /^(?:content-type|idempotency-key|x-client-request-id|x-request-id|x-switchyard-.+|x-codex-.+|x-requested-with|new-api-user|.*(?:session|thread|conversation|turn)[-_]?id)$/

/** The original's headers that change its meaning, such as `anthropic-beta`; lower-case names, no keys. */
export function replayedHeaders(headers: CapturedHeaders): Record<string, string> {
  const kept = plainHeaders(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !ofThatCall.test(name))
  return Object.fromEntries(kept)
}
