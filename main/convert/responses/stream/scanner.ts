import type { GatewayError } from '../../../base/errors.ts'
import type { StreamOptions } from '../../codec.ts'
import type { EventForm } from '../../events/event-form.ts'
import { EventScanner } from '../../events/event-scanner.ts'
import type { VendorError } from '../../events/stream-scanner.ts'
import { JsonFields } from '../../json/json-fields.ts'
import { asObject, asString } from '../../json/json-value.ts'
import { readResponsesError } from '../answer/read-error.ts'
import { readResponsesUsage } from '../answer/usage.ts'
import { emptyResponse, encodeFailed, encodeFailure } from '../error.ts'

/** Stands in the events that carry the whole response, and in no delta. */
const RESPONSE = '"response"'

/** The event's error: of `error` in both its shapes, and of `response.failed`. */
function readError(event: unknown): VendorError | null {
  const type = asObject(event)?.type
  if (type === 'response.failed' || type === 'error') return readResponsesError(event)
  // Gateways before the vendor send an event without a type.
  return type === undefined ? readResponsesError(event) : null
}

/** Answers' text, reasoning and arguments all come as `delta`. */
const readText = (event: unknown): string => asString(asObject(event)?.delta) ?? ''

/** The model's name stands in `response.model`; settings that are repeated may have such a key before it. */
function renameLine(line: string, model: string): string {
  if (!line.startsWith('data:') || !line.includes(RESPONSE)) return line
  const end = line.trimEnd().length
  try {
    const fields = new JsonFields(Buffer.from(line.slice(5, end)))
    return `data:${fields.setWithin(['response'], { model })}${line.slice(end)}`
  } catch {
    return line
  }
}

const form: EventForm = {
  usageNeedle: '"usage"',
  terminalNeedle: RESPONSE,
  // A failed answer is told by its error: booking it as a whole one would hide that. The line with the
  // event's name does not count either, since usage comes with the data.
  isTerminalLine: (line) => /^data:.*"type"\s*:\s*"response\.(?:completed|incomplete)"/.test(line),
  answerEnding: null,
  readUsage: (event) => readResponsesUsage(asObject(event)?.response),
  isUsageOnly: () => false,
  readError,
  readText,
  modelKey: '"model"',
  renameLine,
}

const NONE: Buffer = Buffer.alloc(0)
const NUMBER = Buffer.from('"sequence_number"')
const FAILED = Buffer.from('"response.failed"')
/** Longer than the settings that coding agents have repeated to them. */
const LONGEST_OPENING = 512 * 1024

class ResponsesScanner extends EventScanner {
  /** Bytes that went out, up to the first event with the response's settings. */
  #head = ''
  #opening: string | null = null
  #hasFailed = false
  /** The last bytes that went out with an event's number in them. */
  #numbered = NONE

  override push(chunk: Buffer): Buffer {
    return this.#note(super.push(chunk))
  }

  override flush(): Buffer {
    return this.#note(super.flush())
  }

  /** The failure as this stream's next events: under the answer's own id, counted on from the last one. */
  encodeError(error: GatewayError): string {
    const response = this.#openingResponse() ?? { ...emptyResponse }
    return encodeFailure(error, null, response, this.#nextNumber())
  }

  /** The `response.failed` that Codex waits for, where the vendor left it at an `error`. */
  closeError(error: GatewayError): string {
    if (this.#hasFailed) return ''
    const response = this.#openingResponse() ?? { ...emptyResponse }
    return encodeFailed(error, error.message, response, this.#nextNumber())
  }

  #nextNumber(): number {
    const text = this.#numbered.toString('latin1')
    const numbers = [...text.matchAll(/"sequence_number"\s*:\s*(\d+)/g)]
    return numbers.length > 0 ? Number(numbers.at(-1)?.[1]) + 1 : 0
  }

  #openingResponse(): Record<string, unknown> | undefined {
    if (this.#opening === null) return undefined
    try {
      return asObject(asObject(JSON.parse(this.#opening.slice(5)))?.response)
    } catch {
      return undefined
    }
  }

  #note(out: Buffer): Buffer {
    if (out.length === 0) return out
    if (out.includes(NUMBER)) this.#numbered = out
    if (this.error && !this.#hasFailed) this.#hasFailed = out.includes(FAILED)
    if (this.#opening === null && this.#head.length < LONGEST_OPENING) {
      this.#head += out.toString()
      const line = this.#head
        .split('\n')
        .find((one) => one.startsWith('data:') && one.includes(RESPONSE))
      if (line !== undefined) {
        this.#opening = line
        this.#head = ''
      }
    }
    return out
  }
}

/** The scanner of a Responses stream (https://platform.openai.com/docs/api-reference/responses-streaming). */
export const createResponsesScanner = (options: StreamOptions): EventScanner =>
  new ResponsesScanner(form, options)
