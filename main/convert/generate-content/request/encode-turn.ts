import type {
  CacheMark,
  Part,
  ReasoningPart,
  ReasoningState,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from '../../exchange.ts'
import { readArguments } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { wordOf } from '../../json/json-value.ts'
import { stateFor } from '../../reasoning/reasoning-state.ts'
import { toolId } from '../../tools/tool-ids.ts'
import { type Encoding, nodeFields } from '../encoding.ts'
import { FORMAT, placeFields, spellingOf } from '../wire-fields.ts'
import { encodeMedia } from './encode-media.ts'
import { encodeResult, type ResultLabel } from './encode-result.ts'

/** A wire part, where it stood in the client's body, and the cache mark that stood on it. */
export interface PlacedPart {
  wire: JsonObject
  at?: string | undefined
  cacheMark?: CacheMark | undefined
}

type Place = Omit<PlacedPart, 'wire'>

const place = (wire: JsonObject, { at, cacheMark }: Place): PlacedPart => ({ wire, at, cacheMark })

/** The last of several wire parts gets the cache mark, which covers the prompt up to and including it. */
const placeAll = (wires: readonly JsonObject[], { at, cacheMark }: Place): PlacedPart[] =>
  wires.map((wire, index) => ({
    ...{ wire, at },
    cacheMark: index < wires.length - 1 ? undefined : cacheMark,
  }))

const signed = (state: ReasoningState | undefined): JsonObject =>
  state && state.data !== '' ? { thoughtSignature: state.data } : {}

/** The client's own word that there is no signature. */
function standIn({ native }: Pick<ToolCallPart, 'native'>, { isOwn }: Encoding): JsonObject {
  const { thoughtSignature } = spellingOf(native)
  return isOwn && thoughtSignature !== undefined ? { thoughtSignature } : {}
}

/** The id as the wire has it; null where the client sent none. */
function wireId(part: Pick<ToolCallPart, 'id' | 'native'>, encoding: Encoding): string | null {
  const spelling = spellingOf(part.native)
  if (encoding.isOwn && 'id' in spelling) return spelling.id as string | null
  if (part.id === null || part.id === '') return null
  return encoding.isOwn ? part.id : toolId(part.id, encoding.rules.toolId)
}

function encodeCall(
  part: ToolCallPart,
  state: ReasoningState | undefined,
  encoding: Encoding,
): JsonObject {
  const { loss } = encoding
  const { value, isRaw } =
    part.kind === 'freeform'
      ? { value: { input: part.arguments }, isRaw: false }
      : readArguments(part.arguments)
  if (isRaw) loss.approximate(part.at ?? part.name, 'arguments_as_raw')
  const id = wireId(part, encoding)
  const functionCall = { ...(id === null ? {} : { id }), name: part.name, args: value }
  const signature = { ...standIn(part, encoding), ...signed(state) }
  return placeFields({ functionCall, ...signature }, nodeFields(part, encoding))
}

/** Does a state before this text wait for the turn's call, which is what Google signs where there is one? */
function isForCall(parts: readonly Part[], index: number): boolean {
  for (let at = index + 1; at < parts.length; at++) {
    const part = parts[at] as Part
    if (part.type === 'call') return !stateFor(part.state, FORMAT)
    if (part.type === 'reasoning' && stateFor(part.state, FORMAT)) return false
  }
  return false
}

/**
 * One assistant turn. Google reads its signatures on calls and texts; other formats keep them on the
 * thoughts before these, from where they go back to the part that they belong to.
 */
class ModelTurn {
  readonly parts: PlacedPart[] = []
  readonly #encoding: Encoding
  #pending: ReasoningState | undefined

  constructor(encoding: Encoding) {
    this.#encoding = encoding
  }

  /** Takes the part at an index of the turn's parts. */
  add(parts: readonly Part[], index: number): void {
    const part = parts[index] as Part
    switch (part.type) {
      case 'reasoning':
        this.#reasoning(part)
        break
      case 'text':
        this.#text(part, parts, index)
        break
      case 'refusal':
        if (part.text !== '') this.#push({ text: part.text }, part)
        break
      case 'call': {
        const own = stateFor(part.state, FORMAT)
        if (own) this.flush()
        this.#push(encodeCall(part, own ?? this.#take(), this.#encoding), part)
        break
      }
      case 'media': {
        const wires = encodeMedia(part, this.#encoding)
        Object.assign(wires.at(-1) as JsonObject, signed(stateFor(part.state, FORMAT)))
        this.parts.push(...placeAll(wires, part))
        break
      }
      default:
        this.#foreign(part)
    }
  }

  #text(part: TextPart, parts: readonly Part[], index: number): void {
    const own = stateFor(part.state, FORMAT)
    const fields = nodeFields(part, this.#encoding)
    if (part.citations) {
      this.#encoding.loss.drop(`${part.at ?? 'contents'}.citations`, 'only_text_back')
    }
    if (part.text === '' && !own) return
    const state = own ?? (isForCall(parts, index) ? undefined : this.#take())
    const signature = { ...standIn(part, this.#encoding), ...signed(state) }
    this.#push({ text: part.text, ...signature, ...fields }, part)
  }

  #foreign(part: Exclude<Part, TextPart>): void {
    const isOwn = (part.type === 'hosted' || part.type === 'native') && part.origin === FORMAT
    if (isOwn) this.#push(part.value, part)
    else this.#encoding.loss.drop(part.at ?? 'contents', 'other_vendors_piece')
  }

  #reasoning(part: ReasoningPart): void {
    const { loss, isOwn } = this.#encoding
    const own = stateFor(part.state, FORMAT)
    if (!own && (part.state || !isOwn)) {
      loss.drop(part.at ?? 'contents', 'other_vendor_thoughts')
      return
    }
    const text = part.sections.join('\n\n')
    const fields = nodeFields(part, this.#encoding)
    if (isOwn) {
      this.#push({ text, thought: true, ...signed(own), ...fields }, part)
      return
    }
    this.flush()
    if (text !== '') this.#push({ text, thought: true }, part)
    this.#pending = own
  }

  /** A signature that no part is left for stands on an empty text, as Google's own do. */
  flush(): void {
    const state = this.#take()
    if (state && state.data !== '') this.#push({ text: '', ...signed(state) }, {})
  }

  #take(): ReasoningState | undefined {
    const state = this.#pending
    this.#pending = undefined
    return state
  }

  #push(wire: JsonObject, node: Place): void {
    this.parts.push(place(wire, node))
  }
}

/** The parts of an assistant's turn. */
export function encodeModelTurn(turn: Turn, encoding: Encoding): PlacedPart[] {
  const model = new ModelTurn(encoding)
  for (const index of turn.parts.keys()) model.add(turn.parts, index)
  model.flush()
  return model.parts
}

/** These fields of a vendor are content: without them the call means something else. */
const kept = ['compaction', 'compaction_summary', 'item_reference', 'container_upload']

function encodeUserPart(part: Part, encoding: Encoding): JsonObject[] {
  const { loss } = encoding
  const at = part.at ?? 'contents'
  switch (part.type) {
    case 'text': {
      const fields = nodeFields(part, encoding)
      const state = stateFor(part.state, FORMAT)
      if (part.text === '' && !state) return []
      return [{ text: part.text, ...signed(state), ...fields }]
    }
    case 'media':
      return encodeMedia(part, encoding)
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }]
    case 'hosted':
    case 'native':
      if (part.origin === FORMAT) return [part.value]
      if (kept.includes(wordOf(part.value.type))) {
        loss.refuse(at, 'kept_elsewhere')
      }
      loss.drop(at, 'no_equal')
      return []
    default:
      loss.drop(at, 'only_in_assistant')
      return []
  }
}

/** Names and wire ids of a turn's calls, by the ids that their results have. */
export type CallLabels = ReadonlyMap<string, ResultLabel>

export function labelCalls(turn: Turn | undefined, encoding: Encoding): CallLabels {
  const labels = new Map<string, ResultLabel>()
  for (const part of turn?.parts ?? []) {
    if (part.type !== 'call' || part.id === null) continue
    labels.set(part.id, { name: part.name, id: wireId(part, encoding) })
  }
  return labels
}

/** A result's own mark, or that of what stands inside it: Google has one place for both. */
function placeOfResult({ at, cacheMark, parts }: ToolResultPart): Place {
  const inner = cacheMark ? undefined : parts.findLast((part) => part.cacheMark)
  return inner ? { at: inner.at ?? at, cacheMark: inner.cacheMark } : { at, cacheMark }
}

/** The parts of a user's turn: results first, then files that could not stand inside them. */
export function encodeUserTurn(turn: Turn, labels: CallLabels, encoding: Encoding): PlacedPart[] {
  const results: PlacedPart[] = []
  const files: PlacedPart[] = []
  const others: PlacedPart[] = []
  for (const part of turn.parts) {
    if (part.type !== 'result') {
      others.push(...placeAll(encodeUserPart(part, encoding), part))
      continue
    }
    const label = labels.get(part.callId ?? '')
    const own = wireId(
      { id: part.callId, ...(part.native ? { native: part.native } : {}) },
      encoding,
    )
    // Google wants the call's own name and id; an own client has given them already.
    const names = encoding.isOwn ? [part.name, label?.name] : [label?.name, part.name]
    const name = names[0] ?? names[1] ?? part.callId ?? 'tool'
    const id = encoding.isOwn ? own : (label?.id ?? own)
    const { wire, after } = encodeResult(part, { name, id }, encoding)
    results.push(place(wire, placeOfResult(part)))
    files.push(...after.map((file) => place(file, { at: part.at })))
  }
  return [...results, ...files, ...others]
}
