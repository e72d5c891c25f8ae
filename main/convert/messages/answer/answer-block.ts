import type { AnswerTarget } from '../../conversion.ts'
import type { MediaPart, Part, ReasoningState, TextPart, ToolCallPart } from '../../exchange.ts'
import { readArguments } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { markState } from '../../reasoning/reasoning-state.ts'
import { inventedId, toolId } from '../../tools/tool-ids.ts'
import { encodeCitation } from '../citations.ts'
import { keptFields } from '../own-fields.ts'

/**
 * A thinking block's signature. Another vendor's state goes in a mark, and so does its absence:
 * Anthropic's API refuses a block that it did not sign, and the mark lets the gateway find it.
 */
export function signatureOf(state: ReasoningState | undefined, model: string): string {
  if (state?.origin === 'messages') return state.data
  return markState(state ?? { origin: 'chat', kind: 'signature', data: '', model })
}

const isForeign = (state: ReasoningState | undefined): boolean => state?.origin !== 'messages'

/** Does the client want no thoughts to read? Their state is carried all the same. */
export function hidesThoughts({ request }: AnswerTarget): boolean {
  return request.reasoning?.mode === 'off' || request.reasoning?.isShown === false
}

/** The blocks of one part; state on a part that has no place for it goes in a thinking block before. */
export function answerBlocks(
  part: Part,
  number: number,
  target: AnswerTarget,
  wasCut: boolean,
): JsonObject[] {
  const { model } = target
  switch (part.type) {
    case 'text':
      // A client sends what it got, and an empty text block is refused ever after.
      // Google's state on a text is no condition for going on, and a block for it would do harm: clients
      // look for the text in the first or, as Claude Code does, in the last block.
      return part.text === '' ? [] : [textBlock(part)]
    case 'refusal':
      return part.text === '' ? [] : [textBlock({ type: 'text', text: part.text })]
    case 'reasoning':
      if (part.state?.origin === 'messages' && part.state.kind === 'redacted') {
        return [{ type: 'redacted_thinking', data: part.state.data, ...keptFields(part.native) }]
      }
      if (!part.state && (part.sections.length === 0 || hidesThoughts(target))) return []
      return [
        {
          type: 'thinking',
          thinking:
            isForeign(part.state) && hidesThoughts(target) ? '' : part.sections.join('\n\n'),
          signature: signatureOf(part.state, model),
          ...keptFields(part.native),
        },
      ]
    case 'call':
      return [...stateBlock(part.state, model), callBlock(part, number, target, wasCut)]
    case 'media':
      if (keptFields(part.native).container_upload) {
        return [keptFields(part.native).container_upload as JsonObject]
      }
      return [...stateBlock(part.state, model), textBlock(mediaText(part))]
    case 'hosted':
    case 'native':
      // Results of another vendor's tools show in the text and its citations.
      return part.origin === 'messages' ? [part.value] : []
    default:
      return []
  }
}

const stateBlock = (state: ReasoningState | undefined, model: string): JsonObject[] =>
  state ? [{ type: 'thinking', thinking: '', signature: signatureOf(state, model) }] : []

function textBlock({ text, citations, native }: TextPart): JsonObject {
  const cited = (citations ?? []).flatMap((citation) => encodeCitation(citation, text) ?? [])
  return {
    type: 'text',
    text,
    citations: cited.length > 0 ? cited : null,
    ...keptFields(native),
  }
}

function callBlock(
  part: ToolCallPart,
  number: number,
  target: AnswerTarget,
  wasCut: boolean,
): JsonObject {
  return {
    type: 'tool_use',
    id: callId(part.id, number, target),
    name: part.name,
    input:
      part.kind === 'freeform'
        ? { input: part.arguments }
        : readArguments(part.arguments, wasCut).value,
    ...keptFields(part.native),
  }
}

/** A call's id; one is made where the upstream gave none. `number` tells the answer's calls apart. */
export const callId = (id: string | null, number: number, target: AnswerTarget): string =>
  id === null ? inventedId(`${target.id} ${number}`) : toolId(id, 'anthropic')

const lostFile = (what: string) => `[The answer holds a file that this API cannot carry: ${what}]`

/** An answer of this format holds no images: the client is told that there was one. */
function mediaText({ kind, source, filename }: MediaPart): TextPart {
  const type = source.type === 'base64' || source.type === 'text' ? source.mediaType : null
  const name = filename === undefined ? '' : ` ${filename}`
  const where = source.type === 'url' ? `: ${source.url}` : ''
  const size =
    source.type === 'base64' ? `, ${Math.round((source.data.length * 3) / 4096)} KiB` : ''
  const what = `${kind}${name}${type === null ? '' : `, ${type}`}${size}`
  return { type: 'text', text: lostFile(`${what}${where}`) }
}
