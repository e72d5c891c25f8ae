import { ownValue } from '../../base/own-value.ts'
import { isBlank } from '../errors/is-blank.ts'
import type {
  HostedTool,
  MediaPart,
  Part,
  ReasoningState,
  TextPart,
  ToolResultPart,
} from '../exchange.ts'
import { fieldsBeside, innerFields } from '../foreign/kept-fields.ts'
import { stringifyExact } from '../json/exact-json.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asObject, asString } from '../json/json-value.ts'
import { isNoSignature } from '../reasoning/no-signature.ts'
import { readState } from '../reasoning/reasoning-state.ts'
import { namelessCall } from '../tools/nameless-call.ts'
import { decodeMedia } from './decode-media.ts'
import { camelFields, entriesOf, FORMAT, ownNative, spellingOf } from './wire-fields.ts'

const knownOfText = new Set(['text', 'thought', 'thoughtSignature'])
const knownOfCall = new Set(['id', 'name', 'args'])
const knownBesideCall = new Set(['functionCall', 'thoughtSignature'])
const knownOfResult = new Set(['id', 'name', 'response', 'parts'])
const knownBesideResult = new Set(['functionResponse'])
const knownBesideMedia = new Set(['inlineData', 'fileData', 'thoughtSignature'])
const knownBesideDetail = new Set([...knownBesideMedia, 'mediaResolution'])

const hostedOfType: Readonly<Record<string, HostedTool>> = {
  GOOGLE_SEARCH_WEB: 'web-search',
  GOOGLE_SEARCH_IMAGE: 'web-search',
  URL_CONTEXT: 'web-fetch',
  GOOGLE_MAPS: 'maps',
  FILE_SEARCH: 'file-search',
}

/** The tool that ran at Google and of which this part tells; undefined for any other part. */
function hostedTool(fields: JsonObject): HostedTool | undefined {
  if (fields.executableCode || fields.codeExecutionResult) return 'code-execution'
  const call = asObject(fields.toolCall) ?? asObject(fields.toolResponse)
  if (!call) return undefined
  return ownValue(hostedOfType, asString(camelFields(call).toolType) ?? '') ?? 'other'
}

/** The state in a part's `thoughtSignature`; `model` made it where the part comes from an answer. */
function stateOf(fields: JsonObject, model: string | null): ReasoningState | undefined {
  const signature = asString(fields.thoughtSignature)
  if (!signature || isNoSignature(signature)) return undefined
  const state = readState(signature, FORMAT, 'signature')
  return state.model === null ? { ...state, model } : state
}

/** The client's word that it has no signature, for the way back to the own format. */
function standIn({ thoughtSignature }: JsonObject): JsonObject {
  const isOne = typeof thoughtSignature === 'string' && isNoSignature(thoughtSignature)
  return isOne ? { thoughtSignature } : {}
}

/**
 * Puts a state where it belongs. Google's own stays on its part. Another vendor's belongs to the thoughts
 * before it, with which the encoder of answers sent it to the client.
 */
function withState(part: Part, state: ReasoningState | undefined): Part[] {
  if (!state) return [part]
  if (part.type === 'reasoning') return [{ ...part, state }]
  if (state.origin === FORMAT) {
    const holds = part.type === 'text' || part.type === 'call' || part.type === 'media'
    return holds ? [{ ...part, state }] : [part]
  }
  const at = part.at === undefined ? {} : { at: part.at }
  const thought: Part = { type: 'reasoning', sections: [], form: 'summary', state, ...at }
  return part.type === 'text' && part.text === '' ? [thought] : [thought, part]
}

function decodeText(fields: JsonObject, node: { at?: string }): Part {
  const text = asString(fields.text) ?? ''
  const native = ownNative(fieldsBeside(fields, knownOfText), standIn(fields))
  return fields.thought === true
    ? { type: 'reasoning', sections: [text], form: 'summary', ...node, ...native }
    : { type: 'text', text, ...node, ...native }
}

function decodeCall(fields: JsonObject, node: { at?: string }): Part {
  const call = camelFields(asObject(fields.functionCall) ?? {})
  const id = asString(call.id)
  if (node.at === undefined && !call.name) throw namelessCall()
  return {
    type: 'call',
    id: id ? id : null,
    name: asString(call.name) ?? '',
    kind: 'function',
    arguments: stringifyExact(call.args ?? {}),
    ...node,
    ...ownNative(
      {
        ...fieldsBeside(fields, knownBesideCall),
        ...innerFields('functionCall', call, knownOfCall),
      },
      standIn(fields),
    ),
  }
}

const textOfValue = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '' : stringifyExact(value)

/**
 * A tool's result: `output` and `error` are Google's own words for a result and a failure, any other
 * object is the result itself (https://ai.google.dev/api/caching#FunctionResponse).
 */
function readResponse(value: unknown): { text: string; isError: boolean } {
  const response = asObject(value)
  if (!response) return { text: value === undefined ? '' : textOfValue(value), isError: false }
  const keys = Object.keys(response)
  const only = keys.length === 1 ? keys[0] : undefined
  if (only === 'output') return { text: textOfValue(response.output), isError: false }
  if (only === 'error' && response.error) {
    return { text: textOfValue(response.error), isError: true }
  }
  return { text: stringifyExact(response), isError: false }
}

function decodeResult(fields: JsonObject, node: { at?: string }): ToolResultPart {
  const result = camelFields(asObject(fields.functionResponse) ?? {})
  const { text, isError } = readResponse(result.response)
  const parts: (TextPart | MediaPart)[] = text === '' ? [] : [{ type: 'text', text, ...node }]
  const strange: unknown[] = []
  for (const { value, at: place } of entriesOf(result.parts, `${node.at}.functionResponse.parts`)) {
    const at = node.at === undefined ? {} : { at: place }
    const media = decodeMedia(camelFields(asObject(value) ?? {}), at)
    if (media) parts.push(media)
    else strange.push(value)
  }
  const id = asString(result.id)
  return {
    type: 'result',
    callId: id ? id : null,
    name: asString(result.name) ?? null,
    kind: 'function',
    isError,
    parts,
    ...node,
    ...ownNative(
      {
        ...fieldsBeside(fields, knownBesideResult),
        ...innerFields('functionResponse', result, knownOfResult),
        ...(strange.length > 0 ? { 'functionResponse.parts': strange } : {}),
      },
      result.response === undefined ? {} : { response: result.response },
    ),
  }
}

/** OpenAI's words for how closely an image is looked at; the other levels have none. */
const detailOfLevel: Readonly<Record<string, string>> = {
  MEDIA_RESOLUTION_LOW: 'low',
  MEDIA_RESOLUTION_HIGH: 'high',
}

function decodeMediaPart(fields: JsonObject, media: MediaPart): MediaPart {
  const resolution = camelFields(asObject(fields.mediaResolution) ?? {})
  const keys = Object.keys(resolution)
  const detail =
    keys.length === 1 ? ownValue(detailOfLevel, asString(resolution.level) ?? '') : undefined
  const known = detail === undefined ? knownBesideMedia : knownBesideDetail
  const native = ownNative(
    { ...fieldsBeside(fields, known), ...media.native?.fields },
    spellingOf(media.native),
  )
  const { native: _, ...rest } = media
  return { ...rest, ...(detail === undefined ? {} : { detail }), ...native }
}

/** A part of an answer that a vendor left empty. */
function isNothing({ thought: _thought, ...content }: JsonObject): boolean {
  return isBlank(content)
}

/**
 * One part of a turn or an answer, in either spelling: two where a state of another vendor stands on it,
 * the thought that it belongs to and the part. `model` made the part where it comes from an answer.
 */
export function decodePart(wire: JsonObject, at: string | undefined, model: string | null): Part[] {
  const fields = camelFields(wire)
  const node = at === undefined ? {} : { at }
  if (at === undefined && isNothing(fields)) return []
  const tool = hostedTool(fields)
  if (tool) return [{ type: 'hosted', tool, origin: FORMAT, value: fields, ...node }]
  const state = stateOf(fields, model)
  if (asObject(fields.functionCall)) return withState(decodeCall(fields, node), state)
  if (asObject(fields.functionResponse) && at !== undefined) return [decodeResult(fields, node)]
  const media = decodeMedia(fields, node)
  if (media) return withState(decodeMediaPart(fields, media), state)
  const isText = typeof fields.text === 'string' || state !== undefined
  if (isText) return withState(decodeText(fields, node), state)
  return [{ type: 'native', origin: FORMAT, value: fields, ...node }]
}
