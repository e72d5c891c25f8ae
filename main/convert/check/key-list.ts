import { refuse } from './check-request.ts'

/**
 * A key as lenient parsers read it. Go's takes `ſ` for s and the Kelvin sign for k
 * (https://pkg.go.dev/encoding/json#Unmarshal), its second version leaves out `-` and `_` as well where asked to
 * (https://pkg.go.dev/encoding/json/v2), and Google's takes `max_tokens` and `maxTokens` for the same
 * (https://protobuf.dev/programming-guides/json/).
 */
const folded = (key: string): string =>
  key
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}\s_-]/gu, '')

/** Keys whose verdict is remembered. */
const MOST_KNOWN = 1000
const LONGEST_SHOWN = 100

/** A key as an error tells it. */
export const shown = (key: string): string =>
  key.length > LONGEST_SHOWN ? `${key.slice(0, LONGEST_SHOWN)}…` : key

export function refuseTwice(key: string): never {
  return refuse(shown(key), 'key_twice')
}

/** Looks whether keys are guarded ones, or look like one. */
export class KeyList {
  /** By what they are folded to. */
  readonly #spellings = new Map<string, string[]>()
  /** By key: what a guarded one is folded to; null for any other. */
  readonly #known = new Map<string, string | null>()

  constructor(keys: readonly string[]) {
    for (const key of new Set(keys)) {
      const fold = folded(key)
      this.#spellings.set(fold, [...(this.#spellings.get(fold) ?? []), key])
    }
  }

  /** Folded form of a guarded key; null for any other. Throws for one that looks like a guarded one; `at` stands before it. */
  foldOf(key: string, at: string): string | null {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const fold = folded(key)
    const spellings = this.#spellings.get(fold)
    if (spellings && !spellings.includes(key)) {
      const right = spellings.map((one) => `"${at}${one}"`)
      refuse(shown(at + key), { code: 'key_spelled_differently', values: right })
    }
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    this.#known.set(key, spellings ? fold : null)
    return spellings ? fold : null
  }

  /** Throws where a guarded key stands among these under two spellings, or one looks like a guarded one. */
  check(keys: readonly string[], at = ''): void {
    let seen: string[] | null = null
    for (const key of keys) {
      const fold = this.foldOf(key, at)
      if (fold === null) continue
      if (seen?.includes(fold)) refuseTwice(at + key)
      seen ??= []
      seen.push(fold)
    }
  }
}
