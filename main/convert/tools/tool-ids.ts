import { digest } from '../../base/digest.ts'
import type { ModelRules } from '../model/model-rules.ts'

/**
 * Form of call ids. Lengths: OpenAI 64, Azure 40; Anthropic
 * `^[a-zA-Z0-9_-]+$`; Mistral exactly nine letters and digits.
 */
const shapes: Readonly<Record<ModelRules['toolId'], { fits: RegExp; length: number }>> = {
  any64: { fits: /^[a-zA-Z0-9_-]{1,64}$/, length: 64 },
  any40: { fits: /^[a-zA-Z0-9_-]{1,40}$/, length: 40 },
  anthropic: { fits: /^[a-zA-Z0-9_-]{1,64}$/, length: 64 },
  mistral9: { fits: /^[a-zA-Z0-9]{9}$/, length: 9 },
}

/** Characters of a hash behind a cleaned text: 62 bits. */
const HASH_LENGTH = 12

/** `length` characters (at most 46) of 0-9 and a-z, always the same for the same text. */
export function shortHash(text: string, length = HASH_LENGTH): string {
  return BigInt(`0x${digest(text)}`)
    .toString(36)
    .padStart(50, '0')
    .slice(4, 4 + length)
}

/**
 * A text of at most `length` letters, digits, `_` and `-` that tells what it was made from: its cleaned
 * beginning and a hash of the whole, or of `seed`, where texts that read the same have to differ.
 */
export function cleanedWithHash(text: string, length: number, seed = text): string {
  const room = Math.max(0, length - HASH_LENGTH - 1)
  const cleaned = text
    .slice(0, room * 2)
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .slice(0, room)
    .replace(/_+$/, '')
  return `${cleaned === '' ? 'x' : cleaned}_${shortHash(seed)}`.slice(-length)
}

/**
 * A call's id as the upstream takes it: unchanged when it fits, else its cleaned beginning and a hash. The
 * same id always gives the same one, so a history that is sent again reads the same.
 */
export function toolId(id: string, rule: ModelRules['toolId']): string {
  const { fits, length } = shapes[rule]
  if (fits.test(id)) return id
  if (rule === 'mistral9') return shortHash(id, length)
  return id === '' ? inventedId(id) : cleanedWithHash(id, length)
}

/** An id for a call of a format that gives none: `call_` and 24 letters and digits. */
export function inventedId(seed: string): string {
  return `call_${shortHash(seed, 24)}`
}
