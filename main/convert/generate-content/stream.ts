import type { StreamOptions } from '../codec.ts'
import { type EventForm, EventScanner } from '../event-scanner.ts'
import { asArray, asCount, asObject, asString } from '../json-value.ts'
import type { StreamScanner } from '../stream-scanner.ts'
import { readVendorError } from '../vendor-error.ts'
import { ArrayScanner } from './array-scanner.ts'
import { readGenerateContentUsage } from './usage.ts'

/** Text, thoughts and call arguments of a chunk's parts. */
export function readGenerateContentText(event: unknown): string {
  let text = ''
  for (const candidate of asArray(asObject(event)?.candidates)) {
    for (const part of asArray(asObject(asObject(candidate)?.content)?.parts)) {
      const one = asObject(part)
      text += asString(one?.text) ?? (one?.functionCall ? JSON.stringify(one.functionCall) : '')
    }
  }
  return text
}

const form: EventForm = {
  usageNeedle: '"usageMetadata"',
  // The format has no last event: the body's end is the end, and a finish reason says it is whole.
  terminalNeedle: null,
  isTerminalLine: () => false,
  finishNeedle: 'Reason"',
  isFinishLine: (line) => /"(finishReason|blockReason)"\s*:\s*"/.test(line),
  answersIn: (event) =>
    asArray(asObject(event)?.candidates).map((candidate) => {
      const { index, finishReason } = asObject(candidate) ?? {}
      return { index: asCount(index) ?? 0, isOver: typeof finishReason === 'string' }
    }),
  readUsage: readGenerateContentUsage,
  isUsageOnly: () => false,
  readError: (event) => (asObject(event)?.error ? readVendorError(event) : null),
  readText: readGenerateContentText,
  modelKey: '"modelVersion"',
}

/** The scanner of streamGenerateContent: events with `alt=sse`, else one JSON array. */
export const createGenerateContentScanner = (options: StreamOptions): StreamScanner =>
  options.asArray ? new ArrayScanner() : new EventScanner(form, options)
