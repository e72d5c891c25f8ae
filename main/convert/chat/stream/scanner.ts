import type { StreamOptions } from '../../codec.ts'
import { readVendorError } from '../../errors/vendor-error.ts'
import type { EventForm } from '../../events/event-form.ts'
import { EventScanner } from '../../events/event-scanner.ts'
import { asArray, asCount, asObject, asString } from '../../json/json-value.ts'
import { readChatUsage } from '../answer/usage.ts'

/** Text, reasoning and tool arguments of a chunk's deltas, with the vendors' own reasoning fields. */
function readText(event: unknown): string {
  let text = ''
  for (const choice of asArray(asObject(event)?.choices)) {
    const delta = asObject(asObject(choice)?.delta)
    if (!delta) continue
    text += asString(delta.content) ?? ''
    text += asString(delta.reasoning_content) ?? asString(delta.reasoning) ?? ''
    for (const call of asArray(delta.tool_calls)) {
      text += asString(asObject(asObject(call)?.function)?.arguments) ?? ''
    }
  }
  return text
}

/** Marks of Chat's stream; that of the legacy completions differs only in its text. */
export const chatForm: EventForm = {
  usageNeedle: '"usage"',
  terminalNeedle: '[DONE]',
  // OpenAI's SDK asks no more of it than how it begins.
  isTerminalLine: (line) => /^data:\s*\[DONE\]/.test(line),
  // Some vendors leave out `[DONE]`; a finish reason is then enough.
  answerEnding: {
    needles: ['finish_reason"'],
    marksIn: (event) =>
      asArray(asObject(event)?.choices).map((choice) => {
        const { index, finish_reason: reason } = asObject(choice) ?? {}
        return { index: asCount(index) ?? 0, isOver: typeof reason === 'string' && reason !== '' }
      }),
    asksSeveral: (request) => request.kind('n') === 'number' && request.get('n') !== 1,
  },
  readUsage: readChatUsage,
  isUsageOnly(event) {
    const chunk = asObject(event)
    return (
      chunk !== undefined &&
      Array.isArray(chunk.choices) &&
      chunk.choices.length === 0 &&
      asObject(chunk.usage) !== undefined &&
      !('prompt_filter_results' in chunk)
    )
  },
  readError: (event) => (asObject(event)?.error ? readVendorError(event) : null),
  readText,
  modelKey: '"model"',
}

/** The scanner of a Chat Completions stream (wire-formats §2.3: `data:` lines only, then `[DONE]`). */
export const createChatScanner = (options: StreamOptions): EventScanner =>
  new EventScanner(chatForm, options)
