import type { MediaPart, ToolCallPart, ToolResultPart } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { ClientTool } from '../client-tools.ts'
import { fieldsBeside } from '../own-fields.ts'
import { encodeNative } from './encode-assistant.ts'
import { type EncodeContext, encodeInputText, encodeMedia, placeOf } from './encode-content.ts'

const ownOnly = new Set(['item_id'])

/** The parts of an output, and the media that cannot stand in it. */
function outputParts(
  part: ToolResultPart,
  context: EncodeContext,
): { parts: JsonObject[]; moved: MediaPart[] } {
  const { rules, loss, isOwn } = context
  const moved: MediaPart[] = []
  const parts = part.parts.flatMap((inner): JsonObject[] => {
    if (inner.type === 'text') return encodeInputText(inner, context)
    if (inner.type === 'native') return encodeNative(inner, context)
    const place = placeOf(inner, placeOf(part))
    if (inner.kind !== 'image' && inner.kind !== 'document') {
      return loss.refuse(place, 'no_other_media_in_result')
    }
    if (rules.resultMedia || isOwn) return encodeMedia(inner, context)
    loss.approximate(place, 'behind_results')
    moved.push(inner)
    return [{ type: 'input_text', text: `[The ${inner.kind} follows in the next message.]` }]
  })
  return { parts, moved }
}

/** Text that says an error: this format has no other sign of one. */
function withError(
  parts: readonly JsonObject[],
  part: ToolResultPart,
  { loss }: EncodeContext,
): JsonObject[] {
  if (!part.isError) return [...parts]
  loss.approximate(placeOf(part), 'error_in_text')
  const [first, ...rest] = parts
  if (first?.type === 'input_text') return [{ ...first, text: `Error: ${first.text}` }, ...rest]
  return [{ type: 'input_text', text: 'Error:' }, ...parts]
}

const isPlain = (part: JsonObject): boolean =>
  part.type === 'input_text' && Object.keys(part).length === 2

/** A tool's result as the output item of its call, and the media that have to stand behind it. */
export function encodeResult(
  part: ToolResultPart,
  call: { part: ToolCallPart; tool: ClientTool | undefined } | undefined,
  context: EncodeContext,
): { item: JsonObject; moved: MediaPart[] } {
  const callId = part.callId ?? ''
  if (call?.tool) {
    const text = part.parts.map((inner) => (inner.type === 'text' ? inner.text : '')).join('\n')
    const output = call.tool.writeOutput(text, part.isError)
    return { item: { type: call.tool.outputType, call_id: callId, ...output }, moved: [] }
  }
  const { parts, moved } = outputParts(part, context)
  const content = withError(parts, part, context)
  const own = fieldsBeside(context.loss.native(part.native, 'responses', part.at), ownOnly)
  const isFreeform = (call?.part.kind ?? part.kind) === 'freeform'
  const [first] = content
  const isText =
    content.length === 0 || (content.length === 1 && first !== undefined && isPlain(first))
  return {
    item: {
      type: isFreeform ? 'custom_tool_call_output' : 'function_call_output',
      call_id: callId,
      output: isText ? (first?.text ?? '') : content,
      ...own,
    },
    moved,
  }
}
