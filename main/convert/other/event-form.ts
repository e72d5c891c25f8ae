import { readVendorError } from '../errors/vendor-error.ts'
import type { EventForm } from '../events/event-form.ts'
import type { Usage } from '../exchange.ts'
import { asObject } from '../json/json-value.ts'

/** Bytes that may stand between a key and its string. */
const KEY_ROOM = 32

/** Is this a whole line whose data has the type? Looked for natively: a line may hold megabytes. */
export function hasType(line: string, quoted: string): boolean {
  if (!line.startsWith('data:') || !line.endsWith('}')) return false
  for (let at = line.indexOf(quoted); at >= 0; at = line.indexOf(quoted, at + 1)) {
    if (/"type"\s*:\s*$/.test(line.slice(Math.max(0, at - KEY_ROOM), at))) return true
  }
  return false
}

/**
 * The form of a stream of OpenAI's whose last event has a name and no `[DONE]` follows: that of images,
 * transcripts and speech. Only the whole line with the data ends it, since the name may stand before
 * megabytes that never come.
 */
export function eventForm(
  lastEvent: string,
  readUsage: (event: unknown) => Usage | null,
  readText: (event: unknown) => string,
): EventForm {
  return {
    usageNeedle: '"usage"',
    terminalNeedle: lastEvent,
    isTerminalLine: (line) => hasType(line, `"${lastEvent}"`),
    answerEnding: null,
    readUsage,
    isUsageOnly: () => false,
    readError: (event) => (asObject(event)?.error ? readVendorError(event) : null),
    readText,
    modelKey: '"model"',
  }
}
