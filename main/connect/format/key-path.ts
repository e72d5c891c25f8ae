import { isDeepStrictEqual } from 'node:util'
import type { Json, KeyPath, Step } from '../tool.ts'
import { NotEditable } from './not-editable.ts'

type JsonObject = { [key: string]: Json }

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** For sentences: `provider.switchyard`, `models[name=M]`. */
export const shownPath = (path: KeyPath): string =>
  path
    .map((step) =>
      typeof step === 'string'
        ? `.${step}`
        : `[${Object.entries(step.entry)
            .map(([key, value]) => `${key}=${value}`)
            .join(', ')}]`,
    )
    .join('')
    .replace(/^\./, '')

export const matchesEntry = (value: Json | undefined, entry: Record<string, string>): boolean =>
  isObject(value) && Object.entries(entry).every(([key, wanted]) => value[key] === wanted)

/** Key of the object or index in the list; undefined where there is none. */
function keyOf(value: Json, step: Step, path: KeyPath): string | number | undefined {
  if (typeof step === 'string') {
    if (!isObject(value)) throw new NotEditable(`${shownPath(path)}: not inside of an object`)
    return Object.hasOwn(value, step) ? step : undefined
  }
  if (!Array.isArray(value)) throw new NotEditable(`${shownPath(path)}: not inside of a list`)
  const index = value.findIndex((item) => matchesEntry(item, step.entry))
  return index < 0 ? undefined : index
}

/** Value at the path, undefined where there is none or where something else is on the way. */
export function valueAt(value: Json, path: KeyPath): Json | undefined {
  let at: Json | undefined = value
  for (const step of path) {
    if (typeof step === 'string') {
      at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined
    } else {
      at = Array.isArray(at) ? at.find((item) => matchesEntry(item, step.entry)) : undefined
    }
    if (at === undefined) return undefined
  }
  return at
}

/** Value that the rest of a path makes where nothing stood: objects around it, entries with their fields. */
export function wrapped(rest: KeyPath, value: Json): Json {
  const [step, ...further] = rest
  if (step === undefined) return value
  const inner = wrapped(further, value)
  if (typeof step === 'string') return { [step]: inner }
  return [isObject(inner) ? { ...step.entry, ...inner } : inner]
}

/** The same change on a plain value: what the text must say afterwards. */
export function withValue(value: Json, path: KeyPath, wanted: Json | undefined): Json {
  const [step, ...rest] = path
  if (step === undefined) return wanted === undefined ? {} : wanted
  // A key with nothing after it, as YAML has them, or an empty file that is to be a list.
  const isBlank = value === null || (typeof step !== 'string' && sameValue(value, {}))
  if (isBlank) return wanted === undefined ? value : wrapped(path, wanted)
  const key = keyOf(value, step, path)
  if (key === undefined) {
    if (wanted === undefined) return value
    const made = wrapped(path, wanted)
    return Array.isArray(made)
      ? [...(value as Json[]), ...made]
      : { ...(value as JsonObject), ...(made as JsonObject) }
  }
  if (Array.isArray(value)) {
    const index = key as number
    if (rest.length === 0 && wanted === undefined) return value.filter((_, at) => at !== index)
    const given =
      rest.length === 0 && typeof step !== 'string' && isObject(wanted)
        ? { ...step.entry, ...wanted }
        : wanted
    return value.map((item, at) => (at === index ? withValue(item, rest, given) : item))
  }
  const copy = { ...(value as JsonObject) }
  if (rest.length === 0 && wanted === undefined) delete copy[key as string]
  else copy[key as string] = withValue(copy[key as string] as Json, rest, wanted)
  return copy
}

export const sameValue = (a: Json | undefined, b: Json | undefined): boolean =>
  isDeepStrictEqual(a, b)
