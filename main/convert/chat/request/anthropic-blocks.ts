import type { ToolCallPart, ToolResultPart, Turn } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asString } from '../../json/json-value.ts'
import { argumentsText } from '../../tools/arguments-text.ts'
import { type ContentPart, decodeCacheMark, decodeContent } from '../decode-content.ts'
import { ownFields } from '../own-fields.ts'

const knownOfCall = new Set(['type', 'id', 'name', 'input', 'cache_control'])
const knownOfResult = new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control'])

export const isResultPart = (part: ContentPart): part is ToolResultPart['parts'][number] =>
  part.type === 'text' || part.type === 'media' || part.type === 'native'

function callOf(block: JsonObject, at: string | undefined): ToolCallPart | null {
  const name = asString(block.name)
  if (block.type !== 'tool_use' || !name) return null
  return {
    ...{ type: 'call', kind: 'function', id: asString(block.id) || null, name },
    arguments: argumentsText(block.input),
    ...(at === undefined ? {} : { at }),
    ...decodeCacheMark(block),
    ...ownFields(block, knownOfCall),
  }
}

function resultOf(block: JsonObject, at: string): ToolResultPart | null {
  const callId = asString(block.tool_use_id)
  if (block.type !== 'tool_result' || !callId) return null
  return {
    ...{ type: 'result', kind: 'function', callId, name: null, at },
    isError: block.is_error === true,
    parts: decodeContent(block.content, `${at}.content`).filter(isResultPart),
    ...decodeCacheMark(block),
    ...ownFields(block, knownOfResult),
  }
}

/**
 * An assistant's content with Anthropic's blocks of calls read: Cursor sends them in this format to models whose name
 * it takes for Claude's (https://forum.cursor.com/t/wrong-tools-handling-on-openai-compatible-endpoint/145588,
 * automazeio/vibeproxy#411). Those that stand in `tool_calls` as well are `calls` already.
 */
export function withCalls(
  content: readonly ContentPart[],
  calls: readonly ToolCallPart[],
): (ContentPart | ToolCallPart)[] {
  const ids = new Set(calls.flatMap(({ id }) => id ?? []))
  return content.flatMap((part): (ContentPart | ToolCallPart)[] => {
    const call = part.type === 'native' ? callOf(part.value, part.at) : null
    if (!call) return [part]
    return call.id !== null && ids.has(call.id) ? [] : [call]
  })
}

/** A user's content as turns: Anthropic's blocks of results stand in a turn of the tool's own. */
export function splitResults(content: readonly ContentPart[], at: string): Turn[] {
  const turns: Turn[] = []
  for (const part of content) {
    const result = part.type === 'native' ? resultOf(part.value, part.at ?? at) : null
    const role = result ? 'tool' : 'user'
    const last = turns.at(-1)
    if (last?.role === role) last.parts.push(result ?? part)
    else turns.push({ role, parts: [result ?? part], at })
  }
  return turns.length > 0 ? turns : [{ role: 'user', parts: [], at }]
}
