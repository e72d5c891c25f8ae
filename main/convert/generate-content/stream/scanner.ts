import type { StreamOptions } from '../../codec.ts'
import { readVendorError } from '../../errors/vendor-error.ts'
import type { AnswerMark } from '../../events/answer-ends.ts'
import type { EventForm } from '../../events/event-form.ts'
import { EventScanner } from '../../events/event-scanner.ts'
import type { StreamScanner } from '../../events/stream-scanner.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import { choiceOf } from '../answer/decode-response.ts'
import { readGenerateContentUsage } from '../answer/usage.ts'
import { camelFields } from '../wire-fields.ts'
import { ArrayScanner } from './array-scanner.ts'

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

/** The answers in a chunk; a prompt that was blocked has the one answer that there will be none. */
function marksIn(event: unknown): AnswerMark[] {
  const chunk = camelFields(asObject(Array.isArray(event) ? event[0] : event) ?? {})
  const marks = asArray(chunk.candidates).map((value, position) => {
    const candidate = camelFields(asObject(value) ?? {})
    return {
      index: choiceOf(candidate, position),
      isOver: Boolean(asString(candidate.finishReason)),
    }
  })
  if (marks.length > 0) return marks
  const { blockReason } = camelFields(asObject(chunk.promptFeedback) ?? {})
  return typeof blockReason === 'string' ? [{ index: 0, isOver: true }] : []
}

function asksSeveral(request: JsonFields): boolean {
  for (const name of ['generationConfig', 'generation_config']) {
    if (request.kind(name) !== 'object') continue
    const { candidateCount } = camelFields(asObject(request.get(name)) ?? {})
    if (typeof candidateCount === 'number' && candidateCount !== 1) return true
  }
  return false
}

const form: EventForm = {
  usageNeedle: '"usageMetadata"',
  // The format has no last event: the body's end is the end, and a finish reason says it is whole.
  terminalNeedle: null,
  isTerminalLine: () => false,
  answerEnding: {
    // End of `finishReason` and `blockReason`, and of both in snake_case.
    needles: ['Reason"', '_reason"'],
    marksIn,
    asksSeveral,
  },
  readUsage: readGenerateContentUsage,
  isUsageOnly: () => false,
  readError: (event) => (asObject(event)?.error ? readVendorError(event) : null),
  readText: readGenerateContentText,
  modelKey: '"modelVersion"',
}

/** The scanner of streamGenerateContent: events with `alt=sse`, else one JSON array. */
export const createGenerateContentScanner = (options: StreamOptions): StreamScanner =>
  options.asArray ? new ArrayScanner() : new EventScanner(form, options)
