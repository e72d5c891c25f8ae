import type { EventForm } from '../event-scanner.ts'
import type { Usage } from '../exchange.ts'
import { asObject } from '../json-value.ts'
import { readVendorError } from '../vendor-error.ts'

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
  const last = new RegExp(`^data:.*"type"\\s*:\\s*"${lastEvent.replaceAll('.', '\\.')}".*\\}$`)
  return {
    usageNeedle: '"usage"',
    terminalNeedle: lastEvent,
    isTerminalLine: (line) => last.test(line),
    finishNeedle: lastEvent,
    isFinishLine: () => false,
    readUsage,
    isUsageOnly: () => false,
    readError: (event) => (asObject(event)?.error ? readVendorError(event) : null),
    readText,
    modelKey: '"model"',
  }
}
