import { refuse } from '../../check/check-request.ts'
import { requireTypes } from '../../check/require-types.ts'
import type { ExchangeRequest, Part, Turn } from '../../exchange.ts'
import { fieldsBeside } from '../../foreign/kept-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject, asString } from '../../json/json-value.ts'
import { decodePart } from '../decode-part.ts'
import { camelFields, entriesOf, FORMAT, ownNative } from '../wire-fields.ts'
import { decodeConfig } from './decode-config.ts'
import { decodeContents } from './decode-contents.ts'
import { decodeToolConfig, decodeTools } from './decode-tools.ts'

/** Types of fields that are read leniently below. */
const types = {
  model: 'string',
  toolConfig: 'object',
  serviceTier: 'string',
  store: 'boolean',
} as const

const known = new Set([
  ...['model', 'contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig'],
  ...['serviceTier', 'store'],
])

/** The system prompt: an object with parts, or, as some clients send it, parts or plain text. */
function decodeSystem(value: unknown): Turn[] {
  if (value === undefined || value === null) return []
  const at = 'systemInstruction'
  if (typeof value === 'string') {
    return [{ role: 'system', parts: [{ type: 'text', text: value, at }], at }]
  }
  const object = Array.isArray(value) ? {} : asObject(value)
  const content = camelFields(object ?? refuse(at, 'must_be_object_with_parts'))
  const bare = content.text === undefined ? [] : [content]
  const wires = Array.isArray(value) ? value : (content.parts ?? bare)
  const parts = entriesOf(wires, `${at}.parts`).flatMap(({ value: wire, at: path }): Part[] => {
    const part = typeof wire === 'string' ? { text: wire } : asObject(wire)
    return decodePart(part ?? refuse(path, 'must_be_object'), path, null)
  })
  // Google reads no role here, but its SDK writes one.
  const role = asString(content.role)
  return [{ role: 'system', parts, at, ...ownNative({}, role === undefined ? {} : { role }) }]
}

/**
 * A body of generateContent or streamGenerateContent, in camelCase or snake_case. Model and streaming
 * are said by the path: `model` is empty and `stream` false until the relay fills them in.
 */
export function decodeRequest(wire: JsonObject): ExchangeRequest {
  const body = camelFields(wire)
  requireTypes(body, types)
  const config = decodeConfig(body.generationConfig)
  const { toolChoice, isValidated, rest: toolRest } = decodeToolConfig(body.toolConfig)
  const tools = decodeTools(body.tools)
  const serviceTier = asString(body.serviceTier)
  return {
    origin: FORMAT,
    model: (asString(body.model) ?? '').replace(/^models\//, ''),
    stream: false,
    turns: [...decodeSystem(body.systemInstruction), ...decodeContents(body.contents)],
    tools: isValidated
      ? tools.map((tool) => (tool.type === 'function' ? { ...tool, strict: true } : tool))
      : tools,
    ...(toolChoice ? { toolChoice } : {}),
    ...config.fields,
    ...(serviceTier === undefined ? {} : { serviceTier }),
    ...(typeof body.store === 'boolean' ? { store: body.store } : {}),
    ...ownNative({ ...fieldsBeside(body, known), ...config.rest, ...toolRest }, config.spelling),
  }
}
