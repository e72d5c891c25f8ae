import type { Native } from '../exchange.ts'
import { keepFields, keptFields as keptBy } from '../foreign/kept-fields.ts'
import type { JsonObject } from '../json/json-value.ts'

/** This folder's own format, as states and native fields name it. */
export const FORMAT = 'generate-content'

/** As by assignment, which means something else for `__proto__`. */
const PLAIN = { writable: true, enumerable: true, configurable: true }

/**
 * Fields kept for the way back to the own format. `spelling` is what the exchange says in its own words:
 * it goes back as it was written, and is no loss elsewhere.
 */
interface OwnNative extends Native {
  spelling?: JsonObject
}

const toCamel = (key: string) =>
  key.replace(/(?<=[a-zA-Z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

function hasLine(object: JsonObject): boolean {
  for (const key in object) if (key.includes('_')) return true
  return false
}

/**
 * A wire object with its own keys in camelCase: REST takes `system_instruction` as well as
 * `systemInstruction`. What stands deeper is left alone, because keys there may be a user's.
 */
export function camelFields(object: JsonObject): JsonObject {
  if (!hasLine(object)) return object
  const entries = Object.entries(object)
  return Object.fromEntries([
    ...entries.map(([key, value]) => [toCamel(key), value] as const),
    ...entries.filter(([key]) => !key.includes('_')),
  ])
}

/** An entry of a list, and where it stands. */
interface Entry {
  value: unknown
  at: string
}

/**
 * The entries of a list. Google takes a single one without its list, as its own examples for curl have it: here
 * `contents` and `parts` are often an object.
 */
export function entriesOf(value: unknown, at: string): Entry[] {
  if (Array.isArray(value))
    return value.map((one, index) => ({ value: one, at: `${at}[${index}]` }))
  return value === undefined || value === null ? [] : [{ value, at }]
}

/** To spread into a node: nothing where there is nothing to keep. */
export function ownNative(fields: JsonObject, spelling: JsonObject = {}): { native?: Native } {
  if (Object.keys(spelling).length === 0) return keepFields(FORMAT, fields)
  const native: OwnNative = { origin: FORMAT, fields, spelling }
  return { native }
}

export const keptFields = (native: Native | undefined): JsonObject => keptBy(FORMAT, native)

/** How the own format spelled a node; empty for nodes of another. */
export function spellingOf(native: Native | undefined): JsonObject {
  if (native?.origin !== FORMAT) return {}
  return (native as OwnNative).spelling ?? {}
}

/** Objects whose fields `fieldsUnder` names, the longest first. */
const containers = [
  'generationConfig.thinkingConfig',
  'toolConfig.functionCallingConfig',
  'generationConfig',
  'toolConfig',
  'functionCall',
  'functionResponse',
  'inlineData',
  'fileData',
] as const

/** Puts fields where their names say. A client may have chosen them: only known containers are entered. */
export function placeFields(target: JsonObject, fields: JsonObject): JsonObject {
  for (const [path, value] of Object.entries(fields)) {
    const container = containers.find((one) => path.startsWith(`${one}.`))
    let object = target
    for (const key of container?.split('.') ?? []) {
      object[key] ??= {}
      object = object[key] as JsonObject
    }
    const name = container === undefined ? path : path.slice(container.length + 1)
    Object.defineProperty(object, name, { value, ...PLAIN })
  }
  return target
}
