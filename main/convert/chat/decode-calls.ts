import { isBlank } from '../errors/is-blank.ts'
import type { ReasoningState, ToolCallPart } from '../exchange.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asArray, asObject, asString } from '../json/json-value.ts'
import { isNoSignature } from '../reasoning/no-signature.ts'
import { readState } from '../reasoning/reasoning-state.ts'
import { argumentsText } from '../tools/arguments-text.ts'
import { decodeCacheMark } from './decode-content.ts'
import { ownFields } from './own-fields.ts'
import { isMarked, stateOfFields } from './reasoning-details.ts'

const knownOfCall = new Set([
  'id',
  'type',
  'function',
  'custom',
  'index',
  'extra_content',
  'cache_control',
])

/**
 * The `extra_content` of a call. A client holds Google's signatures there as Google's own layer
 * writes them (https://ai.google.dev/gemini-api/docs/thought-signatures); an upstream that sends the field
 * gets it back as it was.
 */
export function stateOfExtra(
  extra: JsonObject | undefined,
  from: 'client' | 'upstream',
  model: string | null = null,
): ReasoningState | undefined {
  if (!extra || isBlank(extra)) return undefined
  const signature = asString(asObject(extra.google)?.thought_signature)
  // It says that there is none; who encodes the call for Google's layer says so again.
  if (signature && isNoSignature(signature)) return undefined
  if (signature && (from === 'client' || isMarked(signature))) {
    return readState(signature, 'generate-content', 'signature')
  }
  return stateOfFields({ extra_content: extra }, 'signature', model)
}

/** An empty place for a call, as vendors leave one beside a good answer. */
export const isNoCall = (call: JsonObject | undefined): boolean =>
  isBlank([call?.id, call?.function, call?.custom])

/** The freeform call in it; a vendor may leave an empty place for one beside a function. */
export function customOf(call: JsonObject | undefined): JsonObject | undefined {
  const custom = asObject(call?.custom)
  return call?.function !== undefined && isBlank(custom) ? undefined : custom
}

/**
 * The calls of an assistant's message, the deprecated `function_call` too, which has no id. `refuse` is
 * told the path of a call without a name. `path` is the message's own.
 */
export function decodeCalls(
  message: JsonObject,
  from: 'client' | 'upstream',
  refuse: (path: string, rule: 'must_be_named_call') => never,
  path?: string,
): ToolCallPart[] {
  const at = (place: string) => (path === undefined ? place : `${path}.${place}`)
  const calls = asArray(message.tool_calls).flatMap((value, index): ToolCallPart[] => {
    const place = at(`tool_calls[${index}]`)
    const call = asObject(value)
    if (isBlank(value) || (call && isNoCall(call))) return []
    const custom = customOf(call)
    const inner = custom ?? asObject(call?.function)
    const name = asString(inner?.name)
    if (!call || !inner || !name) return refuse(place, 'must_be_named_call')
    const state = stateOfExtra(asObject(call.extra_content), from)
    const part: ToolCallPart = {
      type: 'call',
      id: asString(call.id) || null,
      name,
      kind: custom ? 'freeform' : 'function',
      arguments: custom ? (asString(inner.input) ?? '') : argumentsText(inner.arguments),
      ...(path === undefined ? {} : { at: place }),
      ...(state ? { state } : {}),
      ...decodeCacheMark({ cache_control: call.cache_control }),
      ...ownFields(call, knownOfCall),
    }
    return [part]
  })
  const old = asObject(message.function_call)
  if (!old || isBlank(old)) return calls
  const name = asString(old.name)
  if (!name) return refuse(at('function_call'), 'must_be_named_call')
  const call: ToolCallPart = {
    type: 'call',
    id: null,
    name,
    kind: 'function',
    arguments: argumentsText(old.arguments),
    ...(path === undefined ? {} : { at: at('function_call') }),
  }
  return [...calls, call]
}
