import type { Turn } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { NO_SIGNATURE } from '../../reasoning/no-signature.ts'
import { CONTINUE, completeResults, leadingSystem, mergeTurns } from '../../turns.ts'
import { type Encoding, nodeFields, placedMark } from '../encoding.ts'
import { FORMAT, spellingOf } from '../wire-fields.ts'
import { encodeModelTurn, encodeUserTurn, labelCalls, type PlacedPart } from './encode-turn.ts'

/** How Claude Code's own note to its vendor begins: it means nothing elsewhere, and changes too often to be cached. */
const BILLING_NOTE = 'x-anthropic-billing-header:'

interface Content {
  role: 'user' | 'model'
  parts: PlacedPart[]
}

/** System text inside the conversation stays where it is, as the user's. */
function asReminder(turn: Turn, { loss }: Encoding): Turn {
  loss.approximate(turn.at ?? 'contents', 'system_as_user')
  return {
    ...turn,
    role: 'user',
    parts: turn.parts.map((part) =>
      part.type === 'text'
        ? { ...part, text: `<system-reminder>\n${part.text}\n</system-reminder>` }
        : part,
    ),
  }
}

/** `systemInstruction`, which takes text alone; undefined where there is none. */
function encodeSystem(turns: readonly Turn[], encoding: Encoding): JsonObject | undefined {
  const { loss, isOwn } = encoding
  const parts: JsonObject[] = []
  for (const [index, part] of turns.flatMap((turn) => turn.parts).entries()) {
    const at = part.at ?? 'systemInstruction'
    if (part.type === 'native' && part.origin === FORMAT) parts.push(part.value)
    else if (isOwn && part.type === 'hosted') parts.push(part.value)
    else if (part.type !== 'text') loss.refuse(at, 'must_be_system_text')
    else if (index === 0 && !isOwn && part.text.startsWith(BILLING_NOTE)) {
      loss.drop(at, 'note_to_other_vendor')
    } else {
      const fields = nodeFields(part, encoding)
      if (part.text !== '') parts.push({ text: part.text, ...fields })
    }
  }
  const { role } = spellingOf(turns[0]?.native)
  return parts.length === 0 ? undefined : { ...(role === undefined ? {} : { role }), parts }
}

/** Contents without empty ones of the model, neighbours of one role in one. */
function alternate(contents: readonly Content[]): Content[] {
  const out: Content[] = []
  for (const { role, parts } of contents) {
    if (role === 'model' && parts.length === 0) continue
    const last = out.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else out.push({ role, parts: [...parts] })
  }
  return out
}

/** Gemini 3 refuses a turn whose first call lacks a signature; the sentinel says that it has none. */
function signCalls(contents: readonly Content[], { rules, loss }: Encoding): void {
  if (!rules.thoughtSignatures) return
  for (const { role, parts } of contents) {
    const first = parts.find(({ wire }) => wire.functionCall !== undefined)
    if (role !== 'model' || !first || first.wire.thoughtSignature !== undefined) continue
    first.wire = { ...first.wire, thoughtSignature: NO_SIGNATURE }
    loss.approximate(first.at ?? 'contents', 'unknown_thoughts')
  }
}

const says = (text: string): Content => ({ role: 'user', parts: [{ wire: { text } }] })

/** The user begins and, where the model asks for it, ends the conversation; nobody says nothing. */
function completeEnds(contents: Content[], { rules, loss, isOwn }: Encoding): Content[] {
  if (isOwn) return contents
  const [first] = contents
  if (first?.role !== 'user') {
    loss.approximate(first?.parts[0]?.at ?? 'contents', 'user_word_first')
    contents.unshift(says('Continue.'))
  }
  const last = contents.at(-1)
  if (last?.role === 'model' && !rules.prefill) {
    loss.approximate(last.parts[0]?.at ?? 'contents', 'wish_to_go_on')
    contents.push(says(CONTINUE))
  }
  for (const { parts } of contents) {
    if (parts.length === 0) parts.push({ wire: { text: ' ' } })
  }
  return contents
}

const isModel = (role: Turn['role']) => role === 'assistant'

/** Tells where the marks of the conversation have come to stand. */
function placeMarks(contents: readonly Content[], encoding: Encoding): void {
  for (const [turn, { parts }] of contents.entries()) {
    for (const [part, { at, cacheMark }] of parts.entries()) {
      if (!cacheMark) continue
      encoding.marks?.push(placedMark({ at, cacheMark }, encoding, { turn, part }))
    }
  }
}

/** The conversation in Google's form: `contents` in alternation, and `systemInstruction`. */
export function encodeContents(
  turns: readonly Turn[],
  encoding: Encoding,
): { contents: JsonObject[]; systemInstruction?: JsonObject } {
  const { system, rest } = leadingSystem(turns)
  // Where a mark inside a turn comes to stand shows only when all turns are there.
  const inTurns: Encoding = encoding.marks ? { ...encoding, marks: [] } : encoding
  for (const { native, at } of turns) encoding.loss.native(native, FORMAT, at)
  const complete = completeResults(rest, encoding.loss).map((turn) =>
    turn.role === 'system' ? asReminder(turn, encoding) : turn,
  )
  const merged = mergeTurns(complete, (one, other) => isModel(one) === isModel(other))
  const encoded = merged.map((turn, index): Content => {
    if (isModel(turn.role)) return { role: 'model', parts: encodeModelTurn(turn, inTurns) }
    // Ids may come again in a later turn: results belong to the calls right before them.
    const labels = labelCalls(merged[index - 1], inTurns)
    return { role: 'user', parts: encodeUserTurn(turn, labels, inTurns) }
  })
  const contents = completeEnds(alternate(encoded), encoding)
  signCalls(contents, encoding)
  placeMarks(contents, encoding)
  const systemInstruction = encodeSystem(system, encoding)
  return {
    contents: contents.map(({ role, parts }) => ({ role, parts: parts.map(({ wire }) => wire) })),
    ...(systemInstruction ? { systemInstruction } : {}),
  }
}
