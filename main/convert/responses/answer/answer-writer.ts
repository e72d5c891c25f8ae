import { estimateTokens } from '../../../base/estimate-tokens.ts'
import type { AnswerTarget } from '../../conversion.ts'
import type { HostedPart, MediaPart, NativePart, ReasoningState, Usage } from '../../exchange.ts'
import type { Stop } from '../../exchange-response.ts'
import { isWithheld } from '../../foreign/stop-words.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { wordOf } from '../../json/json-value.ts'
import { DroppedGap } from '../../stream/dropped-gap.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { answerId } from '../item-ids.ts'
import { keptFields } from '../own-fields.ts'
import { OF_TEXT } from '../request/attach-states.ts'
import { CallWriter } from './call-writer.ts'
import { echoRequest } from './echo-request.ts'
import { type HostedItem, hostedAnswer, imageAnswer, stagesOf } from './hosted-answer.ts'
import { type ContentWriter, MessageWriter } from './message-writer.ts'
import { type Emit, Output } from './output.ts'
import { encryptedContent, ReasoningWriter } from './reasoning-writer.ts'
import { type Ending, encodeStop } from './stop.ts'
import { encodeResponsesUsage } from './usage.ts'

type Open = ContentWriter | ReasoningWriter | CallWriter
type Of<Type extends StreamPart['type']> = Extract<StreamPart, { type: Type }>

const IN_PROGRESS: JsonObject = { status: 'in_progress', error: null, incomplete_details: null }

const tiers = new Set(['auto', 'default', 'flex', 'scale', 'priority', 'fast'])

/** The tier that was given, where this format has a word for it. */
function tierOf(reported: string | undefined): string | undefined {
  const tier = reported === 'standard' ? 'default' : reported
  return tier !== undefined && tiers.has(tier) ? tier : undefined
}

const hostedItemOf = (part: HostedPart | NativePart): HostedItem | null =>
  part.type === 'hosted' ? hostedAnswer(part) : null

/**
 * One answer on its way to a client of this format: takes its parts in their order, gives out each event, and
 * holds the response that the last of them repeats (wire-formats 3.2, 3.3).
 */
export class AnswerWriter {
  readonly #target: AnswerTarget
  readonly #emit: Emit
  readonly #output: Output
  readonly #open = new Map<number, Open>()
  readonly #messages: MessageWriter[] = []
  readonly #base: JsonObject
  #own: JsonObject = {}
  #usage: Usage | null = null
  #stop: Stop = { reason: 'end' }
  #calls = 0
  /** Tokens of all deltas, about. */
  #written = 0
  #hasRefusal = false
  readonly #gap = new DroppedGap()
  #hasBegun = false
  /** Worked out when it is first needed. */
  #echo: JsonObject | null = null

  constructor(target: AnswerTarget, emit: Emit) {
    this.#target = target
    this.#emit = emit
    this.#output = new Output(target.id, emit)
    this.#base = {
      id: answerId(target.id),
      object: 'response',
      created_at: target.created,
      model: target.model,
    }
  }

  push(part: StreamPart): void {
    if (!this.#hasBegun) this.#begin(part)
    // There is room for one answer; more were refused when they were asked for.
    if ('choice' in part && part.choice > 0) return
    switch (part.type) {
      case 'text-start':
      case 'refusal-start':
        this.#startContent(part)
        return
      case 'reasoning-start':
        this.#leaveMessage()
        this.#open.set(part.block, new ReasoningWriter(this.#output, part.form, part.native))
        return
      case 'call-start':
        this.#leaveMessage()
        this.#calls++
        this.#gap.kept()
        this.#open.set(part.block, this.#callWriter(part))
        return
      case 'text-delta':
      case 'text-citation':
        if ('text' in part) this.#written += estimateTokens(part.text)
        this.#continue(this.#gap.push(part))
        return
      case 'refusal-delta':
      case 'reasoning-delta':
      case 'call-delta':
        this.#written += estimateTokens(part.text)
        this.#continue(part)
        return
      case 'text-end':
      case 'refusal-end':
      case 'reasoning-end':
      case 'call-end':
        this.#end(part)
        return
      case 'whole':
        this.#addWhole(part.part)
        return
      case 'stop':
        this.#stop = part.stop
        this.#own = { ...this.#own, ...keptFields(part.native) }
        return
      case 'usage':
        this.#usage = part.usage
        return
      case 'response-end':
        this.#finish()
        return
      default:
    }
  }

  /** The response as it stands after its last part. */
  response(): JsonObject {
    return this.#response(this.#ending(), this.#usageTold())
  }

  /** The response as far as it came, for one that failed. */
  cutResponse(): JsonObject {
    for (const open of this.#open.values()) open.cut()
    for (const message of this.#messages) if (!message.isDone) message.fill('incomplete')
    return this.#response({ status: 'failed', incomplete_details: null }, null)
  }

  #begin(part: StreamPart): void {
    this.#hasBegun = true
    if (part.type === 'response-start') {
      this.#own = { ...keptFields(part.native) }
      if (part.created !== null) this.#base.created_at = part.created
      const tier = tierOf(part.serviceTier)
      if (tier !== undefined) this.#own.service_tier = tier
    }
    const response = this.#response(IN_PROGRESS, null, [])
    this.#emit('response.created', { response })
    this.#emit('response.in_progress', { response })
  }

  #response(
    ending: JsonObject | Ending,
    usage: JsonObject | null,
    output?: JsonObject[],
  ): JsonObject {
    this.#echo ??= echoRequest(this.#target.request)
    const { items } = this.#output
    const ended = { error: null, ...ending, output: output ?? items, usage }
    return { ...this.#echo, ...this.#own, ...this.#base, ...ended }
  }

  #ending(): Ending {
    return encodeStop(this.#stop, { calls: this.#calls, hasRefusal: this.#hasRefusal })
  }

  /** Usage, estimated where the vendor is silent: clients count their context by it. */
  #usageTold(): JsonObject | null {
    if (this.#usage) return encodeResponsesUsage(this.#usage)
    const { estimatedInput } = this.#target
    if (estimatedInput === 0) return null
    const rest = { cachedInput: 0, cacheWrite: 0, reasoning: 0 }
    return encodeResponsesUsage({ input: estimatedInput, output: this.#written, ...rest })
  }

  #startContent(part: Of<'text-start' | 'refusal-start'>): void {
    const isText = part.type === 'text-start'
    if (isText) this.#gap.startText(part.block)
    else this.#hasRefusal = true
    let message = this.#messages.at(-1)
    if (!message?.takes(part.native)) {
      this.#leaveMessage()
      message = new MessageWriter(this.#output, part.native)
      this.#messages.push(message)
    }
    this.#open.set(part.block, message.begin(isText))
  }

  #callWriter(part: Of<'call-start'>): CallWriter {
    const { request, id } = this.#target
    return new CallWriter(this.#output, part, request, id)
  }

  #continue(
    part: Of<'text-delta' | 'refusal-delta' | 'reasoning-delta' | 'call-delta' | 'text-citation'>,
  ): void {
    const open = this.#open.get(part.block)
    if (!open) return
    if (part.type === 'text-citation') {
      if ('cite' in open) open.cite(part.citation)
    } else if (open instanceof ReasoningWriter) {
      open.delta(part.type === 'reasoning-delta' ? part.section : 0, part.text)
    } else open.delta(part.text, part.type === 'text-delta' ? part.logprobs : undefined)
  }

  #end(part: Of<'text-end' | 'refusal-end' | 'reasoning-end' | 'call-end'>): void {
    const open = this.#open.get(part.block)
    this.#open.delete(part.block)
    if (!open) return
    if (part.type === 'reasoning-end') {
      if (open instanceof ReasoningWriter) open.end(part.state, part.native)
      return
    }
    if (open instanceof ReasoningWriter) return
    open.end()
    if (part.type === 'refusal-end' || !part.state) return
    this.#addState(part.state, open instanceof CallWriter ? open.callId : OF_TEXT)
  }

  /** State on a call or a text has no place of its own here: an item behind it carries it. */
  #addState(state: ReasoningState, id: string): void {
    this.#leaveMessage()
    const marked = encryptedContent(state.origin === 'responses' ? state : { ...state, id })
    this.#output.hold(marked.length)
    this.#output.addWhole('rs', { type: 'reasoning', summary: [], encrypted_content: marked })
  }

  #leaveMessage(): void {
    const message = this.#messages.at(-1)
    if (message && !message.isDone) message.leave()
  }

  #addWhole(part: MediaPart | HostedPart | NativePart): void {
    if (part.type !== 'media' && part.origin !== 'responses' && !hostedItemOf(part)) {
      this.#gap.dropped()
      return
    }
    this.#gap.kept()
    if (part.type === 'media') {
      const image = imageAnswer(part)
      if (image) this.#addHosted(image)
      else this.#addNote(part)
      return
    }
    if (part.origin === 'responses') {
      // It has its vendor's id.
      this.#addHosted({ kind: 'ws', fields: part.value })
      return
    }
    const item = hostedItemOf(part)
    if (item) this.#addHosted(item)
  }

  /** A file that this format has no place for. */
  #addNote({ kind, source }: MediaPart): void {
    const message = this.#messages.at(-1)?.takes(undefined)
      ? (this.#messages.at(-1) as MessageWriter)
      : new MessageWriter(this.#output, undefined)
    if (message !== this.#messages.at(-1)) this.#messages.push(message)
    const writer = message.begin(true)
    const where = source.type === 'url' ? `: ${source.url}` : ''
    writer.delta(`[The answer holds a file that this API cannot carry: ${kind}${where}]`)
    writer.end()
  }

  #addHosted({ kind, fields }: HostedItem): void {
    this.#leaveMessage()
    const type = wordOf(fields.type)
    const stages = stagesOf(type)
    const { result, ...begun } = fields
    this.#output.hold(JSON.stringify(fields).length)
    if (stages.length === 0) {
      this.#output.addWhole(kind, fields)
      return
    }
    const added = this.#output.add(kind, { ...begun, status: 'in_progress' })
    for (const stage of stages) this.#output.tell(`${type}.${stage}`, added, {})
    Object.assign(added.item, fields, result === undefined ? {} : { result })
    this.#output.done(added)
  }

  /** Withheld without words of its own: what the vendor says of it. The status is still that of a cut answer. */
  #explainRefusal(): void {
    const { explanation } = this.#stop
    if (!isWithheld(this.#stop) || !explanation || this.#messages.length > 0) return
    const message = new MessageWriter(this.#output, undefined)
    this.#messages.push(message)
    const writer = message.begin(false)
    writer.delta(explanation)
    writer.end()
  }

  #finish(): void {
    for (const open of this.#open.values()) {
      if (open instanceof ReasoningWriter) open.end(undefined, undefined)
      else open.end()
    }
    this.#open.clear()
    this.#explainRefusal()
    const ending = this.#ending()
    const status = ending.status === 'incomplete' ? 'incomplete' : 'completed'
    this.#messages.at(-1)?.finish(status)
    const response = this.#response(ending, this.#usageTold())
    this.#emit(`response.${ending.status}`, { response })
  }
}
