import type { JsonFields } from '../../json/json-fields.ts'
import { asObject, asString } from '../../json/json-value.ts'

const NOTE = 'x-anthropic-billing-header:'
/** Bytes of the system prompt in which the note would begin. */
const NOTE_WITHIN = 400

const isSpace = (code: number | undefined): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  while (isSpace(bytes[at])) at++
  return at
}

/** Index behind the object that begins here, in bytes known to be JSON. */
function objectEnd(bytes: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const code = bytes[at]
    if (code === 0x22) {
      for (at++; bytes[at] !== 0x22; at++) if (bytes[at] === 0x5c) at++
    } else if (code === 0x7b) depth++
    else if (code === 0x7d && --depth === 0) return at + 1
  }
  return bytes.length
}

function isNote(bytes: Buffer): boolean {
  const block = asObject(JSON.parse(bytes.toString('utf8')))
  const text = asString(block?.text)
  return text?.startsWith(NOTE) === true && !text.trim().includes('\n')
}

/**
 * A request without Claude Code's billing note, the first block of its system prompt: it means nothing to another
 * vendor, and as it changes from call to call no prompt would be found in a cache. Every other byte stays as it was.
 * Null where there is no note, or nothing beside it.
 */
export function withoutBilling(body: JsonFields): readonly Buffer[] | null {
  if (body.kind('system') !== 'array' || body.kindOfFirst('system') !== 'object') return null
  const system = body.rawOf('system')
  if (!system.subarray(0, NOTE_WITHIN).includes(NOTE)) return null
  // Behind the bracket.
  const start = skipSpace(system, 1)
  const end = objectEnd(system, start)
  const comma = skipSpace(system, end)
  if (system[comma] !== 0x2c || !isNote(system.subarray(start, end))) return null
  return body.without('system', start, comma + 1)
}
