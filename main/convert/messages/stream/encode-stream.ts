import { GatewayError } from '../../../base/errors.ts'
import type { AnswerTarget, StreamEncoder } from '../../conversion.ts'
import { upstreamError } from '../../errors/upstream-error.ts'
import type { Usage } from '../../exchange.ts'
import type { Stop } from '../../exchange-response.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { DroppedGap } from '../../stream/dropped-gap.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { answerBlocks, callId, hidesThoughts } from '../answer/answer-block.ts'
import { encodeDeltaUsage, encodeUsage, extrasOf } from '../answer/answer-usage.ts'
import { messageId, unknownUsage } from '../answer/encode-response.ts'
import { encodeStop, unreadableNote } from '../answer/stop.ts'
import { encodeMessagesStreamError } from '../error.ts'
import { keptFields } from '../own-fields.ts'
import { BlockWriter, messagesEvent } from './block-writer.ts'
import { CallLane, type Lane, ReasoningLane, TextLane, WholeLane } from './stream-lane.ts'

type Part<Type extends StreamPart['type']> = Extract<StreamPart, { type: Type }>

/** Characters that may wait for the block before them. */
const MOST_HELD = 16 * 1024 * 1024

/** Writes a stream of Messages events (https://docs.anthropic.com/en/api/messages-streaming). */
export const createEncoder = (target: AnswerTarget): StreamEncoder => new MessagesEncoder(target)

class MessagesEncoder implements StreamEncoder {
  readonly #target: AnswerTarget
  readonly #writer = new BlockWriter()
  /** By the block's number, in the order of their beginning. */
  readonly #lanes = new Map<number, Lane>()
  readonly #gap = new DroppedGap()
  #current: Lane | null = null
  #hasStarted = false
  #isOver = false
  #hasCalls = false
  #hasRefusal = false
  #usage: Usage | null = null
  #stop: Stop = { reason: 'end' }
  /** Fields of `message_delta` that only this format has. */
  #ownStop: JsonObject = {}

  constructor(target: AnswerTarget) {
    this.#target = target
  }

  push(part: StreamPart): string {
    if (this.#isOver) return ''
    if (part.type === 'error') return this.#fail(part)
    const start = this.#start(part)
    this.#take(part)
    if (part.type === 'response-end') return start + this.#finish()
    this.#pump()
    return start + this.#writer.take()
  }

  #take(part: StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'refusal-start':
        if (part.type === 'refusal-start') this.#hasRefusal = true
        else this.#gap.startText(part.block)
        this.#begin(part, new TextLane(part.native))
        break
      case 'reasoning-start':
        this.#beginReasoning(part)
        break
      case 'call-start':
        this.#beginCall(part)
        break
      case 'whole':
        this.#beginWhole(part)
        break
      case 'text-delta':
      case 'text-citation':
        this.#lanes.get(part.block)?.take(this.#gap.push(part))
        break
      case 'refusal-delta':
      case 'reasoning-delta':
      case 'call-delta':
        this.#lanes.get(part.block)?.take(part)
        break
      case 'text-end':
      case 'refusal-end':
      case 'reasoning-end':
      case 'call-end':
        this.#lanes.get(part.block)?.end(part)
        break
      case 'stop':
        this.#takeStop(part)
        break
      case 'usage':
        this.#usage = part.usage
        break
      default:
    }
  }

  /** This format has one answer: blocks of further ones have no lane. */
  #begin({ block, choice }: { block: number; choice: number }, lane: Lane): void {
    if (choice !== 0) return
    for (const other of this.#lanes.values()) if (other instanceof CallLane) other.hurry()
    this.#lanes.set(block, lane)
  }

  #beginReasoning(part: Part<'reasoning-start'>): void {
    const isHidden = hidesThoughts(this.#target)
    this.#begin(part, new ReasoningLane(part.native, this.#target.model, isHidden))
  }

  #beginCall(part: Part<'call-start'>): void {
    if (part.choice === 0) this.#hasCalls = true
    this.#gap.kept()
    const block = {
      type: 'tool_use',
      id: callId(part.id, part.block, this.#target),
      name: part.name,
      input: {},
      ...keptFields(part.native),
    }
    this.#begin(part, new CallLane(block, this.#target.model, part.kind === 'freeform'))
  }

  #beginWhole(part: Part<'whole'>): void {
    const blocks = answerBlocks(part.part, part.block, this.#target, false)
    if (blocks.length === 0) {
      this.#gap.dropped()
      return
    }
    this.#gap.kept()
    this.#begin(part, new WholeLane(blocks))
  }

  #takeStop({ choice, stop, native }: Part<'stop'>): void {
    if (choice !== 0) return
    this.#stop = stop
    this.#ownStop = keptFields(native)
  }

  /** Writes all that can be written now: the open block first, then whatever waits, in order. */
  #pump(): void {
    for (;;) {
      const lane = this.#current ?? this.#ready(null)
      if (!lane) break
      this.#current = lane
      if (lane.isReady) lane.write(this.#writer)
      if (lane.isDone) {
        this.#remove(lane)
        this.#current = null
        continue
      }
      if (!lane.isSplittable || !this.#ready(lane)) break
      lane.suspend(this.#writer)
      this.#current = null
    }
    this.#bound()
  }

  #ready(except: Lane | null): Lane | undefined {
    for (const lane of this.#lanes.values()) if (lane !== except && lane.isReady) return lane
    return undefined
  }

  #remove(lane: Lane): void {
    for (const [block, one] of this.#lanes) if (one === lane) this.#lanes.delete(block)
  }

  #bound(): void {
    let held = 0
    for (const lane of this.#lanes.values()) held += lane.held
    if (held <= MOST_HELD) return
    throw new GatewayError('upstream_invalid', {
      message: `The upstream sent more than ${MOST_HELD / 1024 / 1024} MiB for calls that wait for one before them.`,
      reason: { code: 'upstream_calls_wait', mebibytes: MOST_HELD / 1024 / 1024 },
    })
  }

  /** The first sign of life: `message_start` and a ping. */
  #start(part: StreamPart): string {
    if (this.#hasStarted) return ''
    this.#hasStarted = true
    const { id, model, estimatedInput } = this.#target
    const start = part.type === 'response-start' ? part : null
    const own = keptFields(start?.native)
    const rest = Object.entries(own).filter(([name]) => !name.startsWith('usage.'))
    const message = {
      id: messageId(id),
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: encodeUsage(
        firstUsage(start?.usage, estimatedInput),
        start?.serviceTier,
        extrasOf(own),
      ),
      ...Object.fromEntries(rest),
    }
    return messagesEvent('message_start', { message }) + messagesEvent('ping', {})
  }

  #finish(): string {
    this.#isOver = true
    for (const lane of this.#lanes.values()) {
      lane.end(null)
      if (lane instanceof CallLane) lane.hurry()
    }
    this.#pump()
    const note = unreadableNote(this.#stop)
    if (note !== null) {
      this.#writer.open({ type: 'text', text: '', citations: null })
      this.#writer.delta('text_delta', 'text', note)
      this.#writer.close()
    }
    // Where the upstream counted nothing, four characters are about a token.
    const output = Math.ceil(this.#writer.written / 4)
    const usage = this.#usage ?? unknownUsage(Math.max(1, this.#target.estimatedInput), output)
    const own = Object.entries(this.#ownStop).filter(([name]) => !name.startsWith('usage.'))
    return (
      this.#writer.take() +
      messagesEvent('message_delta', {
        delta: {
          ...encodeStop(this.#stop, this.#hasCalls, this.#hasRefusal),
          container: null,
          ...Object.fromEntries(own),
        },
        usage: encodeDeltaUsage(usage, extrasOf(this.#ownStop)),
      }) +
      messagesEvent('message_stop', {})
    )
  }

  #fail(error: Part<'error'>): string {
    this.#isOver = true
    return encodeMessagesStreamError(upstreamError(error), this.#target.id)
  }
}

/** Clients show how full a conversation is by the first event: never zero, and an estimate until the end. */
function firstUsage(reported: Partial<Usage> | undefined, estimatedInput: number): Usage {
  const isReported = reported?.input !== undefined && reported.input > 0
  const usage = unknownUsage(Math.max(1, estimatedInput), 1)
  return isReported ? { ...usage, ...reported } : usage
}
