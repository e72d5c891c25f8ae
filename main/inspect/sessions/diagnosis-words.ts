import type { CacheCause } from './cache-cause.ts'
import type { CauseSum, Diagnosis } from './cache-doctor.ts'

const words: Readonly<Record<CacheCause, string>> = {
  'other-model': 'another model was called',
  'other-channel': 'another channel answered',
  'other-key': 'another key of the channel was used',
  expired: 'the cache had expired since the call before',
  'too-short': 'the prompt is under the vendor’s minimum',
  'billing-header': 'Claude Code’s billing header differs',
  'tool-order': 'the tools are in another order',
  'tools-changed': 'tools were added or removed',
  'tool-edited': 'the definition of a tool differs',
  timestamp: 'a timestamp',
  machine: 'machine-specific text differs',
  identifier: 'a changing ID',
  'system-edited': 'the system prompt differs',
  'messages-dropped': 'messages were dropped',
  'message-edited': 'an earlier message was edited',
  'no-marks': 'the request has no cache_control',
  'moved-marks': 'cache_control moved',
  'setting-changed': 'a setting that the cache depends on differs',
  'never-cached': 'the vendor reports no cached tokens at all',
  unknown: 'the vendor doesn’t say why',
}

function partOf(path: string): string {
  if (/^(?:tools|functions)\b/.test(path)) return 'list of tools'
  return /^(?:messages|input|contents)\b/.test(path) ? 'prompt' : 'system prompt'
}

function causeWords({ cause, path, calls }: CauseSum, compared: number): string {
  const often = calls === compared ? 'every call' : calls === 1 ? '1 call' : `${calls} calls`
  if (cause === 'setting-changed' && path !== null)
    return `\`${path}\`, on which the cache depends, changes in ${often}`
  return path === null
    ? `${words[cause]} (${often})`
    : `the ${partOf(path)} changes in ${often} at \`${path}\`: ${words[cause]}`
}

/** A session's diagnosis in a sentence. */
export function diagnosisWords({ input, cached, missed, causes, compared }: Diagnosis): string {
  if (compared === 0) return 'Needs at least two calls to compare.'
  const [first] = causes
  if (!first && cached === 0) return 'Hardly any input was re-sent.'
  if (!first || input === 0) return 'Almost all cacheable input came from the cache.'
  const share = Math.round((missed * 100) / input)
  return `${Math.max(1, share)} % of input was re-sent uncached; ${causeWords(first, compared)}.`
}
