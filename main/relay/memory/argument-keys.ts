import { digest } from '../../base/digest.ts'
import type { ToolCallPart } from '../../convert/exchange.ts'
import { ExactNumber, parseExact, stringifyExact } from '../../convert/json/exact-json.ts'
import { asObject } from '../../convert/json/json-value.ts'

function sorted(value: unknown): unknown {
  if (value instanceof ExactNumber) return value
  if (Array.isArray(value)) return value.map(sorted)
  const object = asObject(value)
  if (!object) return value
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, sorted(object[key])]),
  )
}

/**
 * A call's arguments in one spelling, for comparing: clients write them again with other spacing, escapes or
 * order of keys. What is no JSON stays as it is; nothing counts as an empty object.
 */
function canonicalArguments(text: string): string {
  if (text.trim() === '') return '{}'
  try {
    return stringifyExact(sorted(parseExact(text)))
  } catch {
    // No JSON, or nested too deep to walk.
    return text
  }
}

/** Cache size, in entries of about 200 bytes. */
const MOST_TEXTS = 20_000

/**
 * Short keys of calls' arguments, the same for every spelling of the same ones. A history is sent again with
 * every call, so the key of a text is kept: only what is new has to be parsed.
 */
export class ArgumentKeys {
  /** Keys by the hash of the text as it was written. */
  readonly #keys = new Map<string, string>()

  of({ kind, arguments: text }: ToolCallPart): string {
    const written = digest(text)
    if (kind === 'freeform') return written
    const known = this.#keys.get(written)
    if (known !== undefined) return known
    const key = digest(canonicalArguments(text))
    this.#keys.set(written, key)
    if (this.#keys.size > MOST_TEXTS) {
      for (const oldest of this.#keys.keys()) {
        this.#keys.delete(oldest)
        break
      }
    }
    return key
  }
}
