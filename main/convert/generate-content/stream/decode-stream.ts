import type { ServerEvent, StreamDecoder } from '../../conversion.ts'
import { readVendorError } from '../../errors/vendor-error.ts'
import type { Usage } from '../../exchange.ts'
import { fieldsBeside } from '../../foreign/kept-fields.ts'
import { parseExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { choiceOf, decodeTime, withSearches } from '../answer/decode-response.ts'
import { decodeBlock } from '../answer/finish-reason.ts'
import { decodeTier } from '../answer/usage.ts'
import { decodeUsage } from '../answer/usage-metadata.ts'
import { camelFields, ownNative } from '../wire-fields.ts'
import { CandidateDecoder } from './decode-candidate.ts'

const known = new Set([
  ...['candidates', 'usageMetadata', 'modelVersion', 'responseId', 'createTime'],
])

const isSame = (one: Usage | null, other: Usage | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/**
 * Reads a stream of GenerateContentResponse, one to an event or an array's item. The format has no last
 * event: that the answer is whole is said by the finish reasons.
 */
class GenerateContentDecoder implements StreamDecoder {
  readonly #candidates = new Map<number, CandidateDecoder>()
  #blocks = 0
  #hasBegun = false
  #hasFailed = false
  #model = ''
  #blocked: { reason: string; explanation: string | undefined } | undefined
  /** Fields of all chunks together: later ones leave some out. */
  #metadata: JsonObject = {}
  #usage: Usage | null = null

  push({ data }: ServerEvent): StreamPart[] {
    const text = data.trim()
    if (this.#hasFailed || text === '' || text === '[DONE]') return []
    const event = parseExact(text)
    const chunk = asObject(Array.isArray(event) ? event[0] : event)
    if (!chunk) return []
    if (chunk.error !== undefined && chunk.error !== null) return this.#fail(chunk)
    return this.#chunk(camelFields(chunk))
  }

  end(): StreamPart[] {
    if (this.#hasFailed) return []
    const candidates = [...this.#candidates.values()]
    const isBlocked = candidates.length === 0 && this.#blocked !== undefined
    if (!isBlocked && (candidates.length === 0 || candidates.some((one) => !one.isFinished))) {
      return []
    }
    const out = candidates.flatMap((candidate) => candidate.finish())
    if (this.#blocked && isBlocked) {
      const { reason, explanation } = this.#blocked
      out.push({ type: 'stop', choice: 0, stop: decodeBlock(reason, explanation) })
    }
    const searches = candidates.reduce((sum, candidate) => sum + candidate.searches, 0)
    const usage = withSearches(this.#usage, searches)
    if (usage && searches > 0) out.push({ type: 'usage', usage })
    return [...out, { type: 'response-end' }]
  }

  #fail(chunk: JsonObject): StreamPart[] {
    this.#hasFailed = true
    const { message, status, code } = readVendorError(chunk) ?? {
      message: 'The upstream failed.',
      status: null,
      code: null,
    }
    return [{ type: 'error', message, status, code }]
  }

  #chunk(chunk: JsonObject): StreamPart[] {
    const out: StreamPart[] = []
    this.#model = asString(chunk.modelVersion) ?? this.#model
    this.#metadata = { ...this.#metadata, ...camelFields(asObject(chunk.usageMetadata) ?? {}) }
    const usage = decodeUsage(this.#metadata, this.#model)
    if (!this.#hasBegun) out.push(this.#start(chunk, usage))
    const feedback = camelFields(asObject(chunk.promptFeedback) ?? {})
    const reason = asString(feedback.blockReason)
    if (reason !== undefined) {
      this.#blocked = { reason, explanation: asString(feedback.blockReasonMessage) }
    }
    asArray(chunk.candidates).forEach((value, position) => {
      const candidate = camelFields(asObject(value) ?? {})
      out.push(...this.#candidate(choiceOf(candidate, position)).push(candidate, this.#model))
    })
    if (usage && !isSame(usage, this.#usage)) out.push({ type: 'usage', usage })
    this.#usage = usage ?? this.#usage
    return out
  }

  #candidate(choice: number): CandidateDecoder {
    const known = this.#candidates.get(choice)
    if (known) return known
    const made = new CandidateDecoder(choice, () => this.#blocks++)
    this.#candidates.set(choice, made)
    return made
  }

  #start(chunk: JsonObject, usage: Usage | null): StreamPart {
    this.#hasBegun = true
    const tier = decodeTier(this.#metadata)
    return {
      type: 'response-start',
      id: asString(chunk.responseId) ?? '',
      model: this.#model,
      created: decodeTime(chunk.createTime),
      ...(usage ? { usage: { input: usage.input, cachedInput: usage.cachedInput } } : {}),
      ...(tier === undefined ? {} : { serviceTier: tier }),
      ...ownNative(fieldsBeside(chunk, known)),
    }
  }
}

/** Reads one answer of streamGenerateContent. */
export const createDecoder = (): StreamDecoder => new GenerateContentDecoder()
