import type { CallFormat } from '../../convert/call-format.ts'
import { traitsOf } from '../../convert/codecs.ts'
import { stringifyExact } from '../../convert/json/exact-json.ts'
import { asObject, asString } from '../../convert/json/json-value.ts'
import { equalCharacters } from './equal-characters.ts'

/** A field beside the prompt that differs between two calls; null = not sent. */
export interface SettingChange {
  /** `reasoning.effort` */
  path: string
  from: string | null
  to: string | null
  /** Characters in which both are equal. */
  at: number
}

/** What a vendor's cache depends on beside the prompt, by path; without what says the same as no field. */
export type CacheSettings = ReadonlyMap<string, string>

/**
 * Anthropic: https://platform.claude.com/docs/en/build-with-claude/prompt-caching (what invalidates the cache),
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs, and `CacheMissModelChanged` of its SDK
 * 1.14; that effort counts is what users measured.
 */
const ofMarked = [
  'thinking',
  'tool_choice',
  'output_config.effort',
  'output_config.format',
  'speed',
]
/** OpenAI: `Response.CacheMiss` of its SDK 7.59, for both of its formats. */
const ofOthers = [
  ...['prompt_cache_key', 'reasoning.effort', 'reasoning_effort', 'service_tier'],
  ...['text.format', 'response_format', 'text.verbosity', 'verbosity'],
]

/** What says the same as no field; of effort https://platform.claude.com/docs/en/build-with-claude/effort. */
const defaults: Readonly<Record<string, string>> = {
  thinking: '{"type":"disabled"}',
  tool_choice: '{"type":"auto"}',
  'output_config.effort': 'high',
  speed: 'standard',
  service_tier: 'auto',
  'text.format': '{"type":"text"}',
  response_format: '{"type":"text"}',
}

const valueAt = (body: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => asObject(value)?.[name], body)

/** Reads the settings of a request in any wire format. */
export function readCacheSettings(body: unknown): CacheSettings {
  const settings = new Map<string, string>()
  for (const path of [...ofMarked, ...ofOthers]) {
    const value = valueAt(body, path)
    if (value === undefined || value === null) continue
    const text = asString(value) ?? stringifyExact(value)
    if (text !== defaults[path]) settings.set(path, text)
  }
  return settings
}

/** The first setting that differs of those on which the cache of this format's vendor depends. */
export function settingChange(
  before: CacheSettings,
  now: CacheSettings,
  format: CallFormat,
): SettingChange | null {
  for (const path of traitsOf(format).cacheMarks ? ofMarked : ofOthers) {
    const [from, to] = [before.get(path) ?? null, now.get(path) ?? null]
    if (from !== to) return { path, from, to, at: equalCharacters(from ?? '', to ?? '') }
  }
  return null
}
