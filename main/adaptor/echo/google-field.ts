import { asArray, asObject, type Json } from './json-access.ts'

/** A field of Google's: REST takes it in camel case and in snake case. */
export function googleField(object: Json, name: string): unknown {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return object[name] ?? object[snake]
}

/** The same, where it holds an object; an empty one for anything else. */
export const googleObject = (object: Json, name: string): Json =>
  asObject(googleField(object, name))

/** A list of Google's, or the single entry that stands in its place. */
export const googleList = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : asArray(value)
