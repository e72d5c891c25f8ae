import { GatewayError } from '../../../base/errors.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asCount, asObject, asString } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { argumentsText } from '../../tools/arguments-text.ts'
import { namelessCall } from '../../tools/nameless-call.ts'
import { inventedId } from '../../tools/tool-ids.ts'
import { customOf, isNoCall, stateOfExtra } from '../decode-calls.ts'
import { JsonEnd } from './json-end.ts'

/** Text of one call that may wait for its id, in characters. */
const MOST_HELD = 16 * 1024 * 1024

interface OpenCall {
  index: number | undefined
  id: string | null
  name: string
  kind: 'function' | 'freeform'
  /** Null until its start has been given out. */
  block: number | null
  /** Text that waits for the start. */
  held: string
  hasText: boolean
  /** All of its text, where that came in one piece. */
  whole: string
  end: JsonEnd
  isEnded: boolean
  extra: JsonObject | undefined
}

/** Facts of the answer that a stream passes to its calls. */
export interface CallContext {
  choice: number
  nextBlock(): number
  /** Seed from the answer for the ids of calls that have none. */
  seed(): string
  model(): string | null
}

interface Fragment {
  index: number | undefined
  id: string | null
  name: string
  kind: 'function' | 'freeform'
  text: string
  extra: JsonObject | undefined
}

function readFragment(call: JsonObject): Fragment {
  const custom = customOf(call)
  const inner = custom ?? asObject(call.function) ?? {}
  return {
    index: asCount(call.index),
    id: asString(call.id) || null,
    name: asString(inner.name) ?? '',
    kind: custom || call.type === 'custom' ? 'freeform' : 'function',
    text: custom ? (asString(inner.input) ?? '') : argumentsText(inner.arguments),
    extra: asObject(call.extra_content),
  }
}

/**
 * Puts the fragments of one choice's calls together, as vendors send them: keyed on `index`, interleaved,
 * with the id or name again on each or none at all, without index, from whatever index on.
 */
export class CallFragments {
  readonly #context: CallContext
  readonly #calls: OpenCall[] = []

  constructor(context: CallContext) {
    this.#context = context
  }

  get count(): number {
    return this.#calls.length
  }

  push(value: JsonObject): StreamPart[] {
    const fragment = readFragment(value)
    const parts: StreamPart[] = []
    let call = this.#find(fragment)
    if (!call) {
      // Some vendors end with a fragment that says nothing.
      if (isNoCall(value)) return parts
      parts.push(...this.endWhole())
      call = this.#open(fragment)
    }
    call.id ??= fragment.id
    if (call.name === '') call.name = fragment.name
    if (fragment.kind === 'freeform') call.kind = 'freeform'
    if (fragment.extra) call.extra = { ...call.extra, ...fragment.extra }
    parts.push(...this.#append(call, fragment.text))
    return parts
  }

  /** Ends the calls whose arguments are whole, so that what follows them needs not wait. */
  endWhole(): StreamPart[] {
    const whole = this.#calls.filter(({ end, isEnded }) => end.isEnded && !isEnded)
    return whole.flatMap((call) => this.#end(call))
  }

  /** Ends every call; the choice is over. */
  endAll(): StreamPart[] {
    return this.#calls.flatMap((call) => this.#end(call))
  }

  /** A call under the index or id of one that is whole; some vendors send the very same once more. */
  #isAnother(known: OpenCall, { name, text }: Fragment): boolean {
    if (!known.end.isEnded || name === '') return false
    return name !== known.name || (text !== '' && known.whole !== '' && text !== known.whole)
  }

  #find(fragment: Fragment): OpenCall | undefined {
    const { index, id, name } = fragment
    const byIndex = this.#calls.findLast((call) => call.index === index)
    if (index !== undefined) {
      // Google's layer has sent index 0 with each of several calls: another id and a name begin a new one.
      const isOther =
        byIndex?.id != null &&
        id !== null &&
        id !== byIndex.id &&
        name !== '' &&
        (byIndex.end.isEnded || !byIndex.hasText || name !== byIndex.name)
      const isNew = isOther || (byIndex !== undefined && this.#isAnother(byIndex, fragment))
      return isNew ? undefined : byIndex
    }
    if (id !== null) {
      const byId = this.#calls.findLast((call) => call.id === id)
      if (byId) return this.#isAnother(byId, fragment) ? undefined : byId
    }
    const last = this.#calls.at(-1)
    if (!last || (id !== null && last.id !== null)) return undefined
    // Without index and id, a name begins a call unless it repeats the one that is being written.
    const isNext = name !== '' && last.name !== '' && (last.end.isEnded || name !== last.name)
    return isNext ? undefined : last
  }

  #open({ index, id, name, kind }: Fragment): OpenCall {
    const call: OpenCall = {
      ...{ index, id, name, kind, block: null, held: '', hasText: false, whole: '' },
      ...{ end: new JsonEnd(), isEnded: false, extra: undefined },
    }
    this.#calls.push(call)
    return call
  }

  #append(call: OpenCall, text: string): StreamPart[] {
    if (call.isEnded) return []
    // Behind the end of an object nothing can follow: some vendors send the whole once more.
    const kept = call.kind === 'function' ? text.slice(0, call.end.push(text)) : text
    if (!call.hasText && call.end.isEnded) call.whole = kept
    if (kept !== '') call.hasText = true
    if (call.block === null && (call.id === null || call.name === '')) {
      call.held += kept
      if (call.held.length > MOST_HELD) {
        throw new GatewayError('upstream_invalid', {
          message: 'The upstream sent a tool call of which it did not tell the name or id.',
          reason: { code: 'upstream_call_unnamed' },
        })
      }
      return []
    }
    return [...this.#start(call), ...this.#delta(call, kept)]
  }

  #start(call: OpenCall): StreamPart[] {
    if (call.block !== null) return []
    const { choice, nextBlock, seed } = this.#context
    call.block = nextBlock()
    call.id ??= inventedId(`${seed()} ${choice} ${call.block} ${call.name} ${call.held}`)
    const { block, id, name, kind, held } = call
    call.held = ''
    return [{ type: 'call-start', block, choice, id, name, kind }, ...this.#delta(call, held)]
  }

  #delta({ block }: OpenCall, text: string): StreamPart[] {
    return text === '' || block === null ? [] : [{ type: 'call-delta', block, text }]
  }

  #end(call: OpenCall): StreamPart[] {
    if (call.isEnded) return []
    if (call.name === '') throw namelessCall()
    const parts = this.#start(call)
    call.isEnded = true
    const state = stateOfExtra(call.extra, 'upstream', this.#context.model())
    const block = call.block as number
    return [...parts, { type: 'call-end', block, ...(state ? { state } : {}) }]
  }
}
