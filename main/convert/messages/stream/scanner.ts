import type { StreamOptions } from '../../codec.ts'
import { readVendorError } from '../../errors/vendor-error.ts'
import type { EventForm } from '../../events/event-form.ts'
import { EventScanner } from '../../events/event-scanner.ts'
import type { Usage } from '../../exchange.ts'
import { asObject, asString } from '../../json/json-value.ts'
import { decodeUsage, mergeUsage } from '../answer/usage.ts'

function readText(event: unknown): string {
  const delta = asObject(asObject(event)?.delta)
  return asString(delta?.text) ?? asString(delta?.thinking) ?? asString(delta?.partial_json) ?? ''
}

/** The usage of a `message_start` or a `message_delta`. */
function usageOf(event: unknown): Record<string, unknown> | undefined {
  const body = asObject(event)
  return asObject(body?.usage) ?? asObject(asObject(body?.message)?.usage)
}

const stopReasonOf = (event: unknown): unknown => asObject(asObject(event)?.delta)?.stop_reason

const form: EventForm = {
  usageNeedle: '"usage"',
  terminalNeedle: 'message_stop',
  isTerminalLine: (line) =>
    /^event:\s*message_stop$/.test(line) || /^data:.*"type"\s*:\s*"message_stop"/.test(line),
  answerEnding: null,
  readUsage: (event) => decodeUsage(usageOf(event), stopReasonOf(event)),
  isUsageOnly: () => false,
  readError: (event) => (asObject(event)?.type === 'error' ? readVendorError(event) : null),
  readText,
  modelKey: '"model"',
}

class MessagesScanner extends EventScanner {
  protected override told(): Usage | null {
    let [usage, stopReason]: [Record<string, unknown>, unknown] = [{}, null]
    for (const event of this.usageEvents()) {
      stopReason = stopReasonOf(event) ?? stopReason
      usage = mergeUsage(usage, usageOf(event) ?? {}, stopReason)
    }
    return decodeUsage(usage, stopReason)
  }
}

/** The scanner of a Messages stream (https://docs.anthropic.com/en/api/messages-streaming). */
export const createMessagesScanner = (options: StreamOptions): EventScanner =>
  new MessagesScanner(form, options)
