import type { RecordedFile, RecordedKey } from './connect-record.ts'
import { editText, parseText, withInside } from './format/edit-text.ts'
import { isObject, valueAt } from './format/key-path.ts'
import { sha256 } from './real-file.ts'
import { leadsElsewhere } from './same-address.ts'
import type { FileFormat, Json } from './tool.ts'

/** JSON with sorted keys: a tool may write them in another order. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] as Json)}`).join()}}`
}

export const valueDigest = (value: Json): string => sha256(canonical(value))

/** Is the key still as we wrote it? */
export function isAsWritten(whole: Json, { path, wrote }: RecordedKey): boolean {
  const value = valueAt(whole, path)
  return value === undefined ? wrote === null : wrote === valueDigest(value)
}

const isEmpty = (value: Json | undefined) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

/**
 * The text with our keys as they were before. A key that somebody changed since stays, unless `all` go; an
 * object of ours goes whatever was added to it, but not when it leads to another address by now.
 */
export function takeBackKeys(
  format: FileFormat,
  text: string,
  { keys }: RecordedFile,
  address: string,
  all = false,
): string {
  let left = text
  for (const key of [...keys].reverse()) {
    const whole = parseText(format, left)
    const value = valueAt(whole, key.path)
    const isOurs = key.isWhole && value !== undefined && !leadsElsewhere(value, address)
    if (!all && !isOurs && !isAsWritten(whole, key)) continue
    // A table of TOML finds no place in the line of a plain value.
    const isInWay = isObject(key.before) && !isObject(value)
    left = editText(format, left, [
      ...(isInWay ? [{ path: key.path }] : []),
      { path: key.path, ...(key.before !== undefined && { value: key.before }) },
    ])
    // Objects that we made around it go with their last key.
    for (let length = key.path.length - 1; length > key.depth; length -= 1) {
      const around = key.path.slice(0, length)
      if (!isEmpty(valueAt(parseText(format, left), around))) break
      left = editText(format, left, [{ path: around }])
    }
    if (key.inside !== undefined)
      left = withInside(format, left, key.path.slice(0, key.depth), key.inside)
  }
  return left
}
