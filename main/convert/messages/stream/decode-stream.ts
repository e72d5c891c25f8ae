import { GatewayError } from '../../../base/errors.ts'
import type { ServerEvent, StreamDecoder } from '../../conversion.ts'
import { readVendorError } from '../../errors/vendor-error.ts'
import type { Usage } from '../../exchange.ts'
import { fieldsBeside, keepFields } from '../../foreign/kept-fields.ts'
import { parseExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import { RepeatedDelta } from '../../stream/repeated-delta.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { decodeTier, usageExtras } from '../answer/answer-usage.ts'
import { knownOfMessage } from '../answer/decode-response.ts'
import { decodeStop } from '../answer/stop.ts'
import { decodeUsage, mergeUsage } from '../answer/usage.ts'
import { type OpenBlock, openBlock } from './stream-block.ts'

/** Characters of one block that are held until it is whole. */
const MOST_HELD = 16 * 1024 * 1024

/** Reads a stream of Messages events (https://docs.anthropic.com/en/api/messages-streaming). */
export const createDecoder = (): StreamDecoder => new MessagesDecoder()

class MessagesDecoder implements StreamDecoder {
  #hasStarted = false
  /** A `message_start` has come; some upstreams leave it out. */
  #isAnnounced = false
  #isOver = false
  #model = ''
  #nextBlock = 0
  #hasCalls = false
  #usage: JsonObject = {}
  /** Fields of a stop reason that was told; null once it was given on. */
  #stop: JsonObject | null = null
  #hasStopped = false
  readonly #open = new Map<unknown, OpenBlock>()
  readonly #repeated = new RepeatedDelta()

  push(serverEvent: ServerEvent): StreamPart[] {
    const { event, data } = serverEvent
    if (this.#isOver || event === 'ping' || data.trim() === '' || data === '[DONE]') return []
    const repeated = this.#repeated.read(serverEvent)
    if (repeated) return [repeated]
    // Only what comes whole can hold numbers that must not be rounded.
    const value = data.includes('content_block_start') ? parseExact(data) : JSON.parse(data)
    const body = asObject(value)
    if (!body) return []
    const type = asString(body.type) ?? event
    if (type === 'error' || (body.type === undefined && body.error !== undefined)) {
      return this.#fail(body)
    }
    const parts = this.#read(type, body)
    const delta = asObject(body.delta)
    this.#repeated.learn(serverEvent, parts, [delta?.text, delta?.thinking])
    return parts
  }

  end(): StreamPart[] {
    return []
  }

  #read(type: string | null, body: JsonObject): StreamPart[] {
    switch (type) {
      case 'message_start':
        return this.#announce(asObject(body.message) ?? {})
      case 'content_block_start':
        return [
          ...this.#begin(),
          ...this.#openBlock(body.index, asObject(body.content_block) ?? {}),
        ]
      case 'content_block_delta':
        return [...this.#begin(), ...this.#delta(body.index, asObject(body.delta) ?? {})]
      case 'content_block_stop':
        return this.#close(body.index)
      case 'message_delta':
        return [...this.#begin(), ...this.#messageDelta(body)]
      case 'message_stop':
        return this.#finish()
      default:
        return []
    }
  }

  /** A second message would be read as more of the first; Anthropic's SDK (1.11, MessageStream) throws on it too. */
  #announce(message: JsonObject): StreamPart[] {
    if (this.#isAnnounced) {
      throw new GatewayError('upstream_invalid', {
        message: 'The upstream sent a second "message_start" before "message_stop".',
        reason: { code: 'upstream_second_message' },
      })
    }
    this.#isAnnounced = true
    return this.#start(message)
  }

  /** Some upstreams begin without a `message_start`. */
  #begin(): StreamPart[] {
    return this.#hasStarted ? [] : this.#start({})
  }

  #start(message: JsonObject): StreamPart[] {
    const usage = asObject(message.usage)
    const parts: StreamPart[] = []
    if (usage) this.#usage = mergeUsage(this.#usage, usage)
    if (!this.#hasStarted) {
      this.#hasStarted = true
      this.#model = asString(message.model) ?? ''
      const own = fieldsBeside(message, knownOfMessage)
      const known = decodeUsage(usage)
      parts.push({
        type: 'response-start',
        id: asString(message.id) ?? '',
        model: this.#model,
        created: null,
        ...(known ? { usage: known } : {}),
        ...decodeTier(usage),
        ...keepFields('messages', { ...own, ...usageExtras(usage) }),
      })
      // Compatible upstreams may send a whole answer in one event.
      for (const [index, block] of asArray(message.content).entries()) {
        parts.push(...this.#openBlock(index, asObject(block) ?? {}), ...this.#close(index))
      }
    }
    return usage ? [...parts, ...this.#tellUsage()] : parts
  }

  #openBlock(index: unknown, block: JsonObject): StreamPart[] {
    // Blocks are sequential: one that was never closed ends where the next begins.
    const closed = this.#closeAll()
    const open = openBlock(block, this.#model, () => this.#nextBlock++)
    if (open.isCall) this.#hasCalls = true
    this.#open.set(index, open)
    return [...closed, ...open.start()]
  }

  #delta(index: unknown, delta: JsonObject): StreamPart[] {
    const parts: StreamPart[] = []
    let open = this.#open.get(index)
    if (!open) {
      const type = startless.get(delta.type)
      if (type === undefined) return []
      parts.push(...this.#openBlock(index, { type }))
      open = this.#open.get(index) as OpenBlock
    }
    parts.push(...open.delta(delta))
    if (open.held > MOST_HELD) {
      throw new GatewayError('upstream_invalid', {
        message: `The upstream sent a content block of more than ${MOST_HELD / 1024 / 1024} MiB.`,
        reason: { code: 'upstream_block_long', mebibytes: MOST_HELD / 1024 / 1024 },
      })
    }
    return parts
  }

  #close(index: unknown): StreamPart[] {
    const open = this.#open.get(index)
    this.#open.delete(index)
    return open?.end() ?? []
  }

  #closeAll(): StreamPart[] {
    return [...this.#open.keys()].flatMap((index) => this.#close(index))
  }

  #messageDelta(body: JsonObject): StreamPart[] {
    const parts: StreamPart[] = []
    const usage = asObject(body.usage)
    const delta = asObject(body.delta) ?? {}
    if (usage) this.#usage = mergeUsage(this.#usage, usage, delta.stop_reason)
    if (typeof delta.stop_reason === 'string') {
      const own = fieldsBeside(delta, knownOfMessage)
      this.#stop = { ...delta, extras: { ...own, ...usageExtras(usage) } }
      parts.push(...this.#giveStop())
    }
    return usage ? [...parts, ...this.#tellUsage()] : parts
  }

  #giveStop(): StreamPart[] {
    if (this.#hasStopped) return []
    this.#hasStopped = true
    const closed = this.#closeAll()
    const { extras, ...fields } = this.#stop ?? {}
    return [
      ...closed,
      {
        type: 'stop',
        choice: 0,
        stop: decodeStop(fields, this.#hasCalls),
        ...keepFields('messages', asObject(extras) ?? {}),
      },
    ]
  }

  #tellUsage(): StreamPart[] {
    const usage: Usage | null = decodeUsage(this.#usage, this.#stop?.stop_reason)
    return usage ? [{ type: 'usage', usage }] : []
  }

  #finish(): StreamPart[] {
    const parts = [...this.#begin(), ...this.#giveStop()]
    this.#isOver = true
    return [...parts, { type: 'response-end' }]
  }

  #fail(body: JsonObject): StreamPart[] {
    this.#isOver = true
    const error = readVendorError(body)
    return [
      {
        type: 'error',
        message: error?.message ?? 'The upstream reported an error without words.',
        status: error?.status ?? null,
        code: error?.code ?? null,
      },
    ]
  }
}

/** Blocks that can be told from their deltas where an upstream leaves out the start. */
const startless = new Map<unknown, string>([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['signature_delta', 'thinking'],
])
