import type { CallFormat } from '../../convert/call-format.ts'
import { traitsOf } from '../../convert/codecs.ts'
import { type SettingChange, settingChange } from './cache-settings.ts'
import type { PromptComparison } from './compare-prompts.ts'
import { type DepartureCause, departureCause } from './departure-cause.ts'
import type { Prompt, PromptMark } from './prompt-pieces.ts'
import type { SessionCall } from './session-call.ts'

export const cacheCauses = [
  ...['other-model', 'other-channel', 'other-key', 'expired', 'too-short'],
  ...['billing-header', 'tool-order', 'tools-changed', 'tool-edited', 'timestamp', 'machine'],
  ...['identifier', 'system-edited', 'messages-dropped', 'message-edited'],
  ...['no-marks', 'moved-marks', 'setting-changed', 'never-cached', 'unknown'],
] as const

/** Why a vendor's cache did not have a prompt. */
export type CacheCause =
  | DepartureCause
  | 'other-model'
  | 'other-channel'
  | 'other-key'
  /** The last call was too long ago. */
  | 'expired'
  /** The prompt is under the vendor's minimum. */
  | 'too-short'
  /** It has no `cache_control`, without which Anthropic caches nothing. */
  | 'no-marks'
  | 'moved-marks'
  /** A field beside the prompt on which the cache depends. */
  | 'setting-changed'
  /** No call of the session was told any cached tokens. */
  | 'never-cached'
  | 'unknown'

/** A call with its prompt, null where it was not captured. */
export interface PromptedCall {
  call: SessionCall
  prompt: Prompt | null
}

/** Known of the session and the vendor. */
export interface CacheFacts {
  /** Fewest tokens that the vendor caches. */
  minimum: number
  isEverCached: boolean
}

const MINUTES_5 = 5 * 60_000
const HOUR = 60 * 60_000
/** Blocks that Anthropic looks back from a mark. */
const LOOK_BACK = 20
/** Share of the earlier prompt from which on it counts as kept. */
const KEPT = 0.95

/** Milliseconds for which the prompt is kept: five minutes at Anthropic unless marked for an hour; elsewhere at most an hour. */
function lifetime({ call, prompt }: PromptedCall): number {
  if (!traitsOf(call.format).cacheMarks) return HOUR
  return prompt?.marks.some(({ ttl }) => ttl === '1h') ? HOUR : MINUTES_5
}

const finds = (before: readonly PromptMark[], now: readonly PromptMark[]): boolean =>
  now.some(({ block }) =>
    before.some((mark) => mark.block <= block && block - mark.block <= LOOK_BACK),
  )

function causeOfMarks(before: Prompt, now: Prompt, format: CallFormat): CacheCause | null {
  if (!traitsOf(format).cacheMarks) return null
  if (before.marks.length === 0 && now.marks.length === 0) return 'no-marks'
  return finds(before.marks, now.marks) ? null : 'moved-marks'
}

/** The setting that differs from the call before; null also where one of both was not captured. */
export const changedSetting = (before: PromptedCall, now: PromptedCall): SettingChange | null =>
  before.prompt && now.prompt
    ? settingChange(before.prompt.settings, now.prompt.settings, now.call.format)
    : null

/** Why the cache missed, as far as it can be known, the surest first. */
export function cacheCause(
  before: PromptedCall,
  now: PromptedCall,
  comparison: PromptComparison | null,
  { minimum, isEverCached }: CacheFacts,
): CacheCause {
  const [one, other] = [before.call, now.call]
  if (one.model !== other.model) return 'other-model'
  if (one.channelId !== other.channelId) return 'other-channel'
  if (one.keyIndex !== other.keyIndex) return 'other-key'
  const departed =
    comparison?.departure && before.prompt && now.prompt
      ? departureCause(comparison.departure, before.prompt, now.prompt)
      : null
  if (departed && comparison && comparison.equalTokens < comparison.tokensBefore * KEPT)
    return departed
  if (other.startedAt - one.endedAt > lifetime(before)) return 'expired'
  if (Math.min(one.input, other.input) < minimum) return 'too-short'
  const marks =
    before.prompt && now.prompt ? causeOfMarks(before.prompt, now.prompt, other.format) : null
  const setting = changedSetting(before, now) && 'setting-changed'
  return marks ?? setting ?? departed ?? (isEverCached ? 'unknown' : 'never-cached')
}
