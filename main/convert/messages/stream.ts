import type { StreamOptions } from '../codec.ts'
import type { EventForm } from '../event-form.ts'
import { EventScanner } from '../event-scanner.ts'
import type { Usage } from '../exchange.ts'
import { asObject, asString } from '../json-value.ts'
import { readVendorError } from '../vendor-error.ts'
import { addCachedInput, readMessagesUsage } from './usage.ts'

function readText(event: unknown): string {
  const delta = asObject(asObject(event)?.delta)
  return asString(delta?.text) ?? asString(delta?.thinking) ?? asString(delta?.partial_json) ?? ''
}

const form: EventForm = {
  usageNeedle: '"usage"',
  terminalNeedle: 'message_stop',
  isTerminalLine: (line) =>
    /^event:\s*message_stop$/.test(line) || /^data:.*"type"\s*:\s*"message_stop"/.test(line),
  answerEnding: null,
  readUsage: readMessagesUsage,
  isUsageOnly: () => false,
  readError: (event) => (asObject(event)?.type === 'error' ? readVendorError(event) : null),
  readText,
  modelKey: '"model"',
}

class MessagesScanner extends EventScanner {
  override usage(): Usage | null {
    const usage = super.usage()
    return usage && addCachedInput(usage)
  }
}

/** The scanner of a Messages stream (https://docs.anthropic.com/en/api/messages-streaming). */
export const createMessagesScanner = (options: StreamOptions): EventScanner =>
  new MessagesScanner(form, options)
