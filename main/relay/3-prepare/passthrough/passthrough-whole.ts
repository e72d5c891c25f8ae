import { GatewayError } from '../../../base/errors.ts'
import type { Codec } from '../../../convert/codec.ts'
import { codecOf } from '../../../convert/codecs.ts'
import { countsNothing } from '../../../convert/estimate/counts-nothing.ts'
import type { Usage } from '../../../convert/exchange.ts'
import { JsonFields, type JsonFieldsReader } from '../../../convert/json/json-fields.ts'
import type { Channel } from '../../../store/records/channels.ts'
import type { UpstreamAnswer } from '../../../upstream/request.ts'
import { checkWhole, isSurelyAnswer } from '../../answer/check-whole.ts'
import type { Answer } from '../../call/answer.ts'
import { askedModel } from '../../call/asked-model.ts'
import type { Call } from '../../call/call.ts'
import type { CallRecord } from '../../call/call-record.ts'
import { answerHeaders } from '../../channel/answer-headers.ts'
import { answeredModels } from '../../channel/other-models.ts'
import { unreadable } from '../../failure/unreadable.ts'
import { estimateUsage } from '../../usage/estimate-usage.ts'
import type { Place, Received } from '../prepared-call.ts'

/**
 * The fields of a whole answer. Throws the vendor's error in it, and `upstream_invalid` for JSON that breaks off or is
 * no object: no format has such an answer.
 */
export function answerFields(
  content: Buffer,
  reader: JsonFieldsReader | null,
  { answerKeys }: Codec,
  channel: Channel,
): JsonFields {
  let fields: JsonFields
  try {
    fields = reader?.end(content) ?? new JsonFields(content)
  } catch (cause) {
    checkWhole(content, answerKeys, channel)
    throw new GatewayError('upstream_invalid', {
      message: `The upstream of channel "${channel.name}" answered 200 with JSON that is cut off or isn't an object. Try again; if it persists, check the channel's base URL.`,
      reason: { code: 'upstream_json_cut', channel: channel.name },
      cause,
    })
  }
  if (!isSurelyAnswer(fields, answerKeys)) checkWhole(content, [], channel)
  return fields
}

/** A whole answer that passes to the client as it came, but for the model's name. */
export class PassthroughWhole implements Received {
  readonly status: number
  /** Null where they are not read yet. */
  readonly fields: JsonFields | null
  readonly #call: Call
  readonly #place: Place
  readonly #headers: UpstreamAnswer['headers']
  readonly #content: Buffer

  constructor(
    call: Call,
    place: Place,
    { status, headers }: Pick<UpstreamAnswer, 'status' | 'headers'>,
    content: Buffer,
    fields: JsonFields | null,
  ) {
    this.status = status
    this.fields = fields
    this.#call = call
    this.#place = place
    this.#headers = headers
    this.#content = content
  }

  get beginning(): readonly Buffer[] {
    return [this.#content]
  }

  restore(record: CallRecord): Answer {
    const call = this.#call
    const codec = codecOf(call.format)
    const headers = answerHeaders(this.#headers)
    record.answeredModels = answeredModels(call, this, codec, this.#place.channel)
    record.firstByteAfter = performance.now() - call.receivedAt
    const isJson = codec.answerKeys.length > 0 || String(headers['content-type']).includes('json')
    if (isJson) return { status: this.status, headers, body: this.#readJson(codec, record) }
    record.usage = codec.requestUsage?.(call.body) ?? null
    return { status: this.status, headers, body: this.#content }
  }

  /** A reader that stumbles over the inside of an answer is the upstream's fault. */
  #readJson(codec: Codec, record: CallRecord): Buffer {
    try {
      return this.#restoreJson(this.fields ?? new JsonFields(this.#content), codec, record)
    } catch (error) {
      throw unreadable(error)
    }
  }

  #restoreJson(answer: JsonFields, codec: Codec, record: CallRecord): Buffer {
    const call = this.#call
    if (call.verb === 'generate') {
      this.#noteUsage(codec.readUsage(answer), answer, record)
    }
    const isMapped = this.#place.upstreamModel !== askedModel(call)
    const body = isMapped ? this.#named(answer, codec) : answer.bytes
    return codec.fitAnswer?.(body, call.body) ?? body
  }

  /** Where the vendor counted nothing, the answer's words are counted; an answer without any may have cost nothing. */
  #noteUsage(told: Usage | null, answer: JsonFields, record: CallRecord): void {
    record.usage = told
    if (told && !countsNothing(told)) return
    const estimate = estimateUsage(this.#call, answer)
    if (!estimate || (told && estimate.output === 0)) return
    record.usage = estimate
    record.isEstimated = true
  }

  /** The client sees the model's name that it asked for. */
  #named(answer: JsonFields, { modelField }: Codec): Buffer {
    if (answer.kind(modelField) !== 'string') return answer.bytes
    return answer.set({ [modelField]: askedModel(this.#call) })
  }
}
