import type { ExchangeRequest } from '../../exchange.ts'
import { readArguments } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { inventedId } from '../../tools/tool-ids.ts'
import { type ClientTool, clientToolNamed } from '../client-tools.ts'
import { fieldsBeside, keptFields } from '../own-fields.ts'
import type { Output, OutputItem } from './output.ts'

type CallStart = Extract<StreamPart, { type: 'call-start' }>

const notOfItem = new Set(['item_id', 'item', 'status'])

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A call that is being written. One of a tool that the vendor defines comes whole, as its own item. */
export class CallWriter {
  readonly #output: Output
  readonly #start: CallStart
  readonly #tool: ClientTool | undefined
  readonly #item: OutputItem | null
  readonly callId: string
  #text = ''

  constructor(output: Output, start: CallStart, request: ExchangeRequest, answer: string) {
    this.#output = output
    this.#start = start
    this.callId = start.id ?? inventedId(`${answer} ${start.block}`)
    const isFunction = start.kind === 'function'
    this.#tool = isFunction ? clientToolNamed(start.name, request.tools) : undefined
    this.#item = this.#isHeld ? null : this.#begin()
  }

  get #isHeld(): boolean {
    return this.#tool !== undefined || asObject(keptFields(this.#start.native).item) !== undefined
  }

  get #isFreeform(): boolean {
    return this.#start.kind === 'freeform'
  }

  delta(text: string): void {
    this.#text += text
    this.#output.hold(text.length)
    if (!this.#item) return
    const type = this.#isFreeform ? 'custom_tool_call_input' : 'function_call_arguments'
    this.#output.tell(`${type}.delta`, this.#item, { delta: text })
  }

  end(): void {
    if (!this.#item) {
      this.#addWhole()
      return
    }
    if (this.#isFreeform) {
      this.#output.tell('custom_tool_call_input.done', this.#item, { input: this.#text })
    } else {
      // Clients parse what they get.
      if (this.#text.trim() === '') this.delta('{}')
      const done = { name: this.#start.name, arguments: this.#text }
      this.#output.tell('function_call_arguments.done', this.#item, done)
    }
    // A client that acts on each item as it comes must not run half a call.
    this.#fill(this.#isFreeform || isJson(this.#text) ? 'completed' : 'incomplete')
    this.#output.done(this.#item)
  }

  /** The beginning of a call that will not end. */
  cut(): void {
    if (this.#item) this.#fill('incomplete')
  }

  #fill(status: string): void {
    const text = this.#isFreeform ? { input: this.#text } : { arguments: this.#text }
    Object.assign(this.#item?.item ?? {}, { ...text, status })
  }

  #begin(): OutputItem {
    const { name, namespace, native } = this.#start
    const fields: JsonObject = {
      type: this.#isFreeform ? 'custom_tool_call' : 'function_call',
      status: 'in_progress',
      call_id: this.callId,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(this.#isFreeform ? { input: '' } : { arguments: '' }),
      ...fieldsBeside(keptFields(native), notOfItem),
    }
    return this.#output.add(this.#isFreeform ? 'ctc' : 'fc', fields, native)
  }

  #addWhole(): void {
    const whole = asObject(keptFields(this.#start.native).item)
    if (whole) {
      this.#output.addWhole('fc', whole)
      return
    }
    if (!this.#tool) return
    const { value } = readArguments(this.#text)
    this.#output.addWhole(this.#tool.idKind, {
      type: this.#tool.callType,
      status: 'completed',
      call_id: this.callId,
      ...this.#tool.writeCall(value),
    })
  }
}
