import { estimateTokens } from '../../base/estimate-tokens.ts'
import type { StreamScanner } from '../../convert/events/stream-scanner.ts'
import type { JsonFields } from '../../convert/json/json-fields.ts'
import type { Call } from '../call/call.ts'
import type { CallRecord } from '../call/call-record.ts'
import { BIG_BODY } from './estimated-prompt.ts'
import { roughTokens } from './rough-tokens.ts'

/** Runs of base64 from this length on are images and files, not words. */
const LONG_RUN = 1000

function tokensIn(body: JsonFields): number {
  if (body.size >= BIG_BODY) return roughTokens(body.pieces)
  // Each run once: a pattern for the long ones looks at a shorter one from each of its characters on.
  const text = body.bytes.toString('utf8')
  return estimateTokens(
    text.replace(/[A-Za-z0-9+/=_-]+/g, (run) => (run.length < LONG_RUN ? run : '')),
  )
}

/** Notes what a stream that was cut has used: as the vendor reported it, else counted from what went by. */
export function notePartialUsage(scanner: StreamScanner, call: Call, record: CallRecord): void {
  if (!scanner.hasBegun) return
  const reported = scanner.usage()
  // Anthropic says 1 at the start and the truth only at the end.
  const isKnown = reported !== null && reported.output > 1
  const output = isKnown ? reported.output : scanner.estimateOutput()
  // A form's input can't be counted here, only the text of its answer.
  if (!reported && call.form && output === 0) return
  record.isEstimated = !isKnown
  record.usage = {
    input: reported?.input ?? (call.form ? 0 : tokensIn(call.body)),
    cachedInput: reported?.cachedInput ?? 0,
    cacheWrite: reported?.cacheWrite ?? 0,
    output,
    reasoning: reported?.reasoning ?? 0,
    ...(reported?.detail ? { detail: reported.detail } : {}),
  }
}
