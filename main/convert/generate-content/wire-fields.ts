import type { Native } from '../exchange.ts'

/** This folder's own format, as states and native fields name it. */
export const FORMAT = 'generate-content'

/** As by assignment, which means something else for `__proto__`. */
const PLAIN = { writable: true, enumerable: true, configurable: true }

/**
 * Fields kept for the way back to the own format. `spelling` is what the exchange says in its own words:
 * it goes back as it was written, and is no loss elsewhere.
 */
interface OwnNative extends Native {
  spelling?: Record<string, unknown>
}

const toCamel = (key: string) =>
  key.replace(/(?<=[a-zA-Z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

function hasLine(object: Record<string, unknown>): boolean {
  for (const key in object) if (key.includes('_')) return true
  return false
}

/**
 * A wire object with its own keys in camelCase: REST takes `system_instruction` as well as
 * `systemInstruction`. What stands deeper is left alone, because keys there may be a user's.
 */
export function camelFields(object: Record<string, unknown>): Record<string, unknown> {
  if (!hasLine(object)) return object
  const entries = Object.entries(object)
  return Object.fromEntries([
    ...entries.map(([key, value]) => [toCamel(key), value] as const),
    ...entries.filter(([key]) => !key.includes('_')),
  ])
}

/** The fields of an object beside those that are known. Null says nothing, as in protocol buffers. */
export function fieldsBeside(
  object: Record<string, unknown>,
  known: readonly string[],
): Record<string, unknown> {
  const fields = {}
  // A loop, because every object of a conversation comes by here, and most have nothing.
  for (const key in object) {
    const value = object[key]
    if (value === null || known.includes(key)) continue
    Object.defineProperty(fields, key, { value, ...PLAIN })
  }
  return fields
}

/** The same under a longer name, `functionCall.willContinue`: the path that a loss is noted by. */
export const fieldsUnder = (
  path: string,
  fields: Record<string, unknown>,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${path}.${key}`, value]))

/** To spread into a node: nothing where there is nothing to keep. */
export function ownNative(
  fields: Record<string, unknown>,
  spelling: Record<string, unknown> = {},
): { native?: Native } {
  const isSpelled = Object.keys(spelling).length > 0
  if (!isSpelled && Object.keys(fields).length === 0) return {}
  const native: OwnNative = { origin: FORMAT, fields, ...(isSpelled ? { spelling } : {}) }
  return { native }
}

/** How the own format spelled a node; empty for nodes of another. */
export function spellingOf(native: Native | undefined): Record<string, unknown> {
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
export function placeFields(
  target: Record<string, unknown>,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  for (const [path, value] of Object.entries(fields)) {
    const container = containers.find((one) => path.startsWith(`${one}.`))
    let object = target
    for (const key of container?.split('.') ?? []) {
      object[key] ??= {}
      object = object[key] as Record<string, unknown>
    }
    const name = container === undefined ? path : path.slice(container.length + 1)
    Object.defineProperty(object, name, { value, ...PLAIN })
  }
  return target
}
