/**
 * Reading and changing single top-level fields of a JSON object in its bytes. A body that is relayed
 * between two speakers of one wire format must reach the other side as it was written: number
 * formatting, key order and unknown fields included; so nothing is parsed and rebuilt.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Where a field's value stands: from `start` up to, not including, `end`. */
export interface ValueRange {
  start: number
  end: number
}

/** Index just behind the string that opens at `open`. */
function skipString(bytes: Buffer, open: number): number {
  let from = open + 1
  for (;;) {
    const close = bytes.indexOf(QUOTE, from)
    if (close < 0) return bytes.length
    let slash = close
    while (bytes[slash - 1] === BACKSLASH && slash - 1 > open) slash--
    if ((close - slash) % 2 === 0) return close + 1
    from = close + 1
  }
}

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Index of the last byte that is no white space, or -1. */
export function lastVisible(bytes: Buffer): number {
  let index = bytes.length - 1
  while (index >= 0 && isSpace(bytes[index])) index--
  return index
}

/** Index just behind the value that starts at `start`. */
function skipValue(bytes: Buffer, start: number): number {
  const first = bytes[start]
  if (first === QUOTE) return skipString(bytes, start)
  let depth = 0
  for (let index = start; index < bytes.length; ) {
    const byte = bytes[index]
    if (byte === QUOTE) {
      index = skipString(bytes, index)
      continue
    }
    if (byte === 0x7b || byte === 0x5b) depth++
    else if (byte === 0x7d || byte === 0x5d) {
      if (depth === 0) return index
      depth--
      if (depth === 0) return index + 1
    } else if (depth === 0 && (byte === 0x2c || isSpace(byte))) return index
    index++
  }
  return bytes.length
}

/**
 * The ranges of the named top-level fields of the JSON object in `bytes`, in the order in which they
 * stand there. A key that is written twice gives two ranges. `bytes` must be valid JSON.
 */
export function findFields(
  bytes: Buffer,
  names: ReadonlySet<string>,
): { name: string; range: ValueRange }[] {
  const found: { name: string; range: ValueRange }[] = []
  let index = bytes.indexOf(0x7b) + 1
  if (index === 0) return found
  for (;;) {
    while (index < bytes.length && (isSpace(bytes[index]) || bytes[index] === 0x2c)) index++
    if (bytes[index] !== QUOTE) return found
    const keyEnd = skipString(bytes, index)
    const raw = bytes.toString('utf8', index + 1, keyEnd - 1)
    const name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
    index = bytes.indexOf(0x3a, keyEnd) + 1
    while (isSpace(bytes[index])) index++
    const end = skipValue(bytes, index)
    if (names.has(name)) found.push({ name, range: { start: index, end } })
    index = end
  }
}

/** The named top-level fields that are there, parsed; of one written twice, the last. */
export function readFields(bytes: Buffer, ...names: string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const { name, range } of findFields(bytes, new Set(names))) {
    fields[name] = JSON.parse(bytes.toString('utf8', range.start, range.end))
  }
  return fields
}

/**
 * The object of `bytes` with some top-level fields set, every other byte as it was. A field that is
 * there twice is set twice (parsers disagree on which one counts); one that is missing is added last.
 */
export function setFields(bytes: Buffer, fields: Readonly<Record<string, unknown>>): Buffer {
  const names = new Set(Object.keys(fields))
  const parts: Buffer[] = []
  let copied = 0
  for (const { name, range } of findFields(bytes, names)) {
    parts.push(bytes.subarray(copied, range.start), Buffer.from(JSON.stringify(fields[name])))
    copied = range.end
    names.delete(name)
  }
  if (names.size > 0) {
    const close = bytes.lastIndexOf(0x7d)
    const before = lastVisible(bytes.subarray(0, close))
    const isEmpty = bytes[before] === 0x7b
    const added = [...names].map((name) => `${JSON.stringify(name)}:${JSON.stringify(fields[name])}`)
    parts.push(bytes.subarray(copied, close), Buffer.from((isEmpty ? '' : ',') + added.join(',')))
    copied = close
  }
  parts.push(bytes.subarray(copied))
  return Buffer.concat(parts)
}
