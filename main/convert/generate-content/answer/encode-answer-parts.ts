import type { MediaPart, ReasoningState, ToolCallPart } from '../../exchange.ts'
import { readArguments } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { markState } from '../../reasoning/reasoning-state.ts'
import { FORMAT, keptFields, placeFields, spellingOf } from '../wire-fields.ts'

/** A state as the client keeps and echoes it: Google's own as it is, another vendor's marked. */
export const signatureOf = (state: ReasoningState | undefined): JsonObject => {
  if (!state || (state.origin === FORMAT && state.data === '')) return {}
  return { thoughtSignature: state.origin === FORMAT ? state.data : markState(state) }
}

/**
 * A signature is void without its text, and some clients give back no thoughts but what stands on texts
 * and calls: the mark on these holds both.
 */
export const withThoughts = (state: ReasoningState, text: string): ReasoningState =>
  state.kind === 'signature' && text !== '' ? { ...state, text } : state

/** An empty thought that carries a state for which no other part is left. */
export const stateAlone = (state: ReasoningState): JsonObject => ({
  text: '',
  thought: true,
  ...signatureOf(state),
})

/** A whole call; `wasCut` when the answer met its limit, and the arguments may lack their end. */
export function encodeAnswerCall(
  part: Omit<ToolCallPart, 'type'>,
  state: ReasoningState | undefined,
  wasCut: boolean,
): JsonObject {
  const args =
    part.kind === 'freeform'
      ? { input: part.arguments }
      : readArguments(part.arguments, wasCut).value
  const functionCall = { ...(part.id ? { id: part.id } : {}), name: part.name, args }
  return placeFields({ functionCall, ...signatureOf(state) }, keptFields(part.native))
}

/** A file in an answer; undefined for one that lies at another vendor. */
export function encodeAnswerMedia(part: MediaPart): JsonObject | undefined {
  const { source } = part
  const name = part.filename === undefined ? {} : { displayName: part.filename }
  const rest = { ...signatureOf(part.state), ...keptFields(part.native) }
  if (source.type === 'file' && source.origin !== FORMAT) return undefined
  if (source.type === 'file') {
    const type = spellingOf(part.native)
    return placeFields({ fileData: { fileUri: source.id, ...type, ...name } }, rest)
  }
  if (source.type === 'url') {
    const type = source.mediaType === null ? {} : { mimeType: source.mediaType }
    return placeFields({ fileData: { fileUri: source.url, ...type, ...name } }, rest)
  }
  const data = source.type === 'text' ? Buffer.from(source.text).toString('base64') : source.data
  return placeFields({ inlineData: { mimeType: source.mediaType, data, ...name } }, rest)
}
