import { GatewayError } from '../base/errors.ts'
import { refuse } from './check-request.ts'
import type { JsonFields } from './json-fields.ts'
import { asObject } from './json-value.ts'

/**
 * Keys of a request that the gateway decides by: which model, what it may cost, whether it streams. Two keys that
 * differ in case or underscores only (`generationConfig`, `generation_config`) are spellings of one.
 */
export interface GuardedKeys {
  readonly keys: readonly string[]
  /** The same of the objects in some of them, and of the objects in lists, by key. */
  readonly within?: Readonly<Record<string, readonly string[]>>
}

const OPTIONS = ['gateway', 'models']

/** Keys by which gateways in front of vendors are told of further models: see named-models.ts. */
const FURTHER_MODELS = ['models', 'fallbacks', 'providerOptions', 'provider_options', 'preset']

const EVERYWHERE: GuardedKeys = {
  keys: ['model', ...FURTHER_MODELS, 'stream', 'tools'],
  within: {
    models: ['model'],
    fallbacks: ['model'],
    providerOptions: OPTIONS,
    provider_options: OPTIONS,
  },
}

/**
 * What all parsers make of a key that are lenient about its spelling. Go's takes `ſ` for s and the Kelvin sign for k
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

const shown = (key: string): string =>
  key.length > LONGEST_SHOWN ? `${key.slice(0, LONGEST_SHOWN)}…` : key

function refuseTwice(key: string): never {
  return refuse(shown(key), 'is sent twice. Send it once')
}

/** Looks whether keys are guarded ones, or look like one. */
class KeyList {
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

  /** What a guarded key is folded to; null for any other. Throws for one that looks like a guarded one; `at` stands before it. */
  foldOf(key: string, at: string): string | null {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const fold = folded(key)
    const spellings = this.#spellings.get(fold)
    if (spellings && !spellings.includes(key)) {
      const right = spellings.map((one) => `"${at}${one}"`).join(' or ')
      refuse(shown(at + key), `looks like ${right} but is spelled differently. Use ${right}`)
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

/** In characters. */
const SHORT = 200
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g
const COLON = /:/g

/** Keys that are written in a JSON text, in all of its objects. */
const keysWritten = (text: string): number => text.replace(STRING, '').match(COLON)?.length ?? 0

/** Keys that are left of them when it is parsed. */
function keysIn(value: unknown): number {
  // No recursion: it may be nested deeper than the stack is high.
  const waiting = [value]
  let count = 0
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.values(next)
    if (!Array.isArray(next)) count += inner.length
    for (const one of inner) if (typeof one === 'object') waiting.push(one)
  }
  return count
}

/**
 * Throws where a key stands twice anywhere in the value of a field, or where one of the value itself, or of the
 * objects right in it, looks like one of these.
 */
function checkWithin(body: JsonFields, field: string, keys: KeyList): void {
  const kind = body.kind(field)
  if (kind !== 'object' && kind !== 'array') return
  const value = body.get(field) as object
  const written = body.textOf(field)
  // Most are as short as `{"include_usage":true}`, and written as this would be.
  const isPlain = written.length < SHORT && JSON.stringify(value) === written
  if (!isPlain && keysIn(value) < keysWritten(written)) {
    refuse(field, 'holds a key twice. Send each key once')
  }
  const at = `${field}.`
  if (kind === 'object') keys.check(Object.keys(value), at)
  for (const one of Object.values(value)) {
    const object = asObject(one)
    if (object) keys.check(Object.keys(object), at)
  }
}

/** Refuses requests that parsers of other rules could read differently in what the gateway decides by. */
export class KeyGuard {
  readonly #keys: KeyList
  readonly #within: ReadonlyMap<string, KeyList>

  constructor(guarded: GuardedKeys) {
    this.#keys = new KeyList([...EVERYWHERE.keys, ...guarded.keys])
    this.#within = new Map(
      Object.entries({ ...EVERYWHERE.within, ...guarded.within }).map(
        ([field, keys]) => [field, new KeyList(keys)] as const,
      ),
    )
  }

  /**
   * Throws `invalid_request` where a form's field is named like a guarded one, but for case or similar letters, or
   * names further models, which no vendor takes in a form.
   */
  checkName(name: string): void {
    this.#keys.check([name])
    // Some write a list as `models[]`.
    if (FURTHER_MODELS.includes(name.split('[', 1)[0] as string)) {
      refuse(shown(name), 'is not taken in a form. Leave it out, and name one model')
    }
  }

  /**
   * Throws `invalid_request` where a guarded key, or one that looks like one, stands in the object of this field,
   * which some readers take for the request itself; those in `allowed` may.
   */
  checkNotWithin(body: JsonFields, field: string, allowed: readonly string[]): void {
    if (body.kind(field) === 'array') refuse(field, 'must be an object')
    for (const key of Object.keys(asObject(body.get(field)) ?? {})) {
      if (this.#keys.foldOf(key, `${field}.`) === null || allowed.includes(key)) continue
      refuse(shown(`${field}.${key}`), `is not taken there. Send it as "${key}", beside "${field}"`)
    }
  }

  /**
   * Throws `invalid_request` naming the key for one that is written twice or looks like a guarded one, `invalid_json`
   * for a body that is not UTF-8.
   */
  check(body: JsonFields): void {
    if (!body.isUtf8) {
      throw new GatewayError('invalid_json', {
        message: 'The request body is not valid JSON: it holds bytes that are not UTF-8.',
      })
    }
    const repeated = body.repeated()
    if (repeated !== undefined) refuseTwice(repeated)
    const names = body.names()
    this.#keys.check(names)
    for (const field of names) {
      const keys = this.#within.get(field)
      if (keys) checkWithin(body, field, keys)
    }
  }
}

const OF_TOOLS = new KeyList(['type', 'model'])

/** The same for the list of tools, which may be long: where the models in it are looked at. */
export const checkToolKeys = (body: JsonFields): void => checkWithin(body, 'tools', OF_TOOLS)

/** Throws where a key of an object looks like one of these; `at` stands before it. */
export const checkKeysAt = (object: object, keys: readonly string[], at: string): void =>
  new KeyList(keys).check(Object.keys(object), at)
