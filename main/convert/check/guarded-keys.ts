import { GatewayError } from '../../base/errors.ts'
import type { JsonFields } from '../json/json-fields.ts'
import { asObject } from '../json/json-value.ts'
import { refuse } from './check-request.ts'
import { KeyList, refuseTwice, shown } from './key-list.ts'

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
const FURTHER_MODELS = [
  ...['models', 'fallbacks', 'providerOptions', 'provider_options', 'preset', 'plugins'],
]

const EVERYWHERE: GuardedKeys = {
  keys: ['model', ...FURTHER_MODELS, 'stream', 'tools'],
  within: {
    models: ['model'],
    fallbacks: ['model'],
    plugins: ['id', 'model', 'analysis_models'],
    providerOptions: OPTIONS,
    provider_options: OPTIONS,
  },
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
    refuse(field, 'holds_key_twice')
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
      refuse(shown(name), 'key_not_in_form')
    }
  }

  /**
   * Throws `invalid_request` where a guarded key, or one that looks like one, stands in the object of this field,
   * which some readers take for the request itself; those in `allowed` may.
   */
  checkNotWithin(body: JsonFields, field: string, allowed: readonly string[]): void {
    if (body.kind(field) === 'array') refuse(field, 'must_be_object')
    for (const key of Object.keys(asObject(body.get(field)) ?? {})) {
      if (this.#keys.foldOf(key, `${field}.`) === null || allowed.includes(key)) continue
      refuse(shown(`${field}.${key}`), { code: 'key_belongs_beside', key, field })
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
        reason: { code: 'request_no_json', why: { code: 'json_not_utf8' } },
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
