import type { Part, ReasoningState } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { candidateNative } from '../answer/decode-response.ts'
import { decodeFinish } from '../answer/finish-reason.ts'
import { countSearches, decodeCitations } from '../answer/grounding.ts'
import { decodeLogprobs } from '../answer/logprobs-result.ts'
import { decodePart } from '../decode-part.ts'
import { camelFields } from '../wire-fields.ts'
import { PartialArguments } from './partial-arguments.ts'

/** Characters of text that are kept to find out where sources belong; beyond it they have no place. */
const MOST_TEXT = 4 * 1024 * 1024

interface OpenBlock {
  type: 'text' | 'reasoning'
  block: number
  /** Where the block's text begins in the candidate's whole text. */
  from: number
  state: ReasoningState | undefined
}

interface OpenCall {
  block: number
  state: ReasoningState | undefined
  arguments: PartialArguments
}

/** One candidate of a stream, over all chunks. */
export class CandidateDecoder {
  readonly #choice: number
  /** Gives the next block's number; blocks are counted over all candidates. */
  readonly #nextBlock: () => number
  #open: OpenBlock | undefined
  #call: OpenCall | undefined
  #text = ''
  #hasCalls = false
  #finishReason: string | undefined
  #finishMessage: string | undefined
  /** Fields of the last chunks beside the content: sources, ratings. */
  #candidate: JsonObject = {}

  constructor(choice: number, nextBlock: () => number) {
    this.#choice = choice
    this.#nextBlock = nextBlock
  }

  /** Has the vendor said why it ended? */
  get isFinished(): boolean {
    return this.#finishReason !== undefined
  }

  get searches(): number {
    return countSearches(this.#candidate)
  }

  /** Parts that one chunk adds. Some vendors repeat the finish reason, so nothing ends before the stream. */
  push(candidate: JsonObject, model: string): StreamPart[] {
    const out: StreamPart[] = []
    let logprobs = decodeLogprobs(candidate.logprobsResult)
    for (const wire of asArray(asObject(candidate.content)?.parts)) {
      const fields = camelFields(asObject(wire) ?? {})
      const call = asObject(fields.functionCall)
      if (call && this.#isPartial(camelFields(call))) {
        out.push(...this.#partialCall(camelFields(call), fields, model))
        continue
      }
      for (const part of decodePart(fields, undefined, model)) {
        const events = this.#part(part, logprobs)
        if (events.some(({ type }) => type === 'text-delta')) logprobs = undefined
        out.push(...events)
      }
    }
    // Some vendors send an empty one all along.
    this.#finishReason = asString(candidate.finishReason) || this.#finishReason
    this.#finishMessage = asString(candidate.finishMessage) ?? this.#finishMessage
    const { logprobsResult: _, content: __, ...rest } = candidate
    this.#candidate = { ...this.#candidate, ...rest }
    return out
  }

  /** Closes what is open and tells why the answer ended. */
  finish(): StreamPart[] {
    const stop = decodeFinish(this.#finishReason ?? null, this.#hasCalls, this.#finishMessage)
    const out = [...this.#endCall(), ...this.#cite(), ...this.#close()]
    return [
      ...out,
      { type: 'stop', choice: this.#choice, stop, ...candidateNative(this.#candidate) },
    ]
  }

  #part(part: Part, logprobs: unknown): StreamPart[] {
    const choice = this.#choice
    switch (part.type) {
      case 'text':
      case 'reasoning': {
        const text = part.type === 'text' ? part.text : part.sections.join('')
        return this.#words(part.type, text, part.state, logprobs)
      }
      case 'call': {
        const out = [...this.#endCall(), ...this.#close()]
        const block = this.#nextBlock()
        const { id, name, kind, arguments: text, native, state } = part
        this.#hasCalls = true
        out.push(
          { type: 'call-start', block, choice, id, name, kind, ...(native ? { native } : {}) },
          { type: 'call-delta', block, text },
          { type: 'call-end', block, ...(state ? { state } : {}) },
        )
        return out
      }
      case 'media':
      case 'hosted':
      case 'native': {
        const out = [...this.#endCall(), ...this.#close()]
        out.push({ type: 'whole', block: this.#nextBlock(), choice, part })
        return out
      }
      default:
        // Refusals and results are no parts of Google's answers.
        return []
    }
  }

  #words(
    type: 'text' | 'reasoning',
    text: string,
    state: ReasoningState | undefined,
    logprobs: unknown,
  ): StreamPart[] {
    if (text === '' && !state) return []
    const out = this.#endCall()
    const isNew =
      this.#open?.type !== type || (state !== undefined && this.#open.state !== undefined)
    if (isNew) out.push(...this.#close(), this.#start(type))
    const open = this.#open as OpenBlock
    if (state) open.state = state
    if (text === '') return out
    const { block } = open
    if (type === 'reasoning') {
      out.push({ type: 'reasoning-delta', block, section: 0, text })
    } else {
      if (this.#text.length <= MOST_TEXT) this.#text += text
      out.push({ type: 'text-delta', block, text, ...(logprobs ? { logprobs } : {}) })
    }
    return out
  }

  #start(type: 'text' | 'reasoning'): StreamPart {
    const block = this.#nextBlock()
    const choice = this.#choice
    this.#open = { type, block, from: this.#text.length, state: undefined }
    return type === 'text'
      ? { type: 'text-start', block, choice }
      : { type: 'reasoning-start', block, choice, form: 'summary' }
  }

  #close(): StreamPart[] {
    const open = this.#open
    if (!open) return []
    this.#open = undefined
    const { block, state } = open
    const type = open.type === 'text' ? 'text-end' : 'reasoning-end'
    return [{ type, block, ...(state ? { state } : {}) }]
  }

  /**
   * Sources come at the end, for the whole text of the answer; they are told of the text that is still open,
   * or of an empty one, and a range only where it lies in it.
   */
  #cite(): StreamPart[] {
    const citations = decodeCitations(this.#candidate, [this.#text])
    if (citations.length === 0) return []
    const begun = this.#open?.type === 'text' ? [] : [...this.#close(), this.#start('text')]
    const open = this.#open as OpenBlock
    const isKept = this.#text.length <= MOST_TEXT
    const cited = citations.map(({ citation }): StreamPart => {
      const { block, from } = open
      if (citation.type !== 'url' || citation.start === undefined) {
        return { type: 'text-citation', block, citation }
      }
      const { start, end = start, ...source } = citation
      const isInside = isKept && start >= from
      const placed = isInside ? { ...source, start: start - from, end: end - from } : source
      return { type: 'text-citation', block, citation: placed }
    })
    return [...begun, ...cited]
  }

  /** Is this a piece of a call whose arguments come in pieces, or the empty one that ends it? */
  #isPartial(call: JsonObject): boolean {
    if (call.partialArgs !== undefined || call.willContinue === true) return true
    return this.#call !== undefined && asString(call.name) === undefined
  }

  #partialCall(call: JsonObject, fields: JsonObject, model: string): StreamPart[] {
    const out: StreamPart[] = []
    const name = asString(call.name)
    if (name) {
      out.push(...this.#endCall(), ...this.#close())
      const { partialArgs: _, willContinue: __, ...head } = call
      const [part] = decodePart({ ...fields, functionCall: head }, undefined, model)
      if (part?.type !== 'call') return out
      const block = this.#nextBlock()
      const { id, kind, native, state } = part
      this.#hasCalls = true
      this.#call = { block, state, arguments: new PartialArguments() }
      const choice = this.#choice
      out.push({ type: 'call-start', block, choice, id, name, kind, ...(native ? { native } : {}) })
    }
    this.#call?.arguments.add(call)
    if (call.willContinue !== true) out.push(...this.#endCall())
    return out
  }

  #endCall(): StreamPart[] {
    const call = this.#call
    if (!call) return []
    this.#call = undefined
    const { block, state } = call
    return [
      { type: 'call-delta', block, text: call.arguments.text() },
      { type: 'call-end', block, ...(state ? { state } : {}) },
    ]
  }
}
