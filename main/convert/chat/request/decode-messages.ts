import { refuse } from '../../check/check-request.ts'
import type { Part, ToolResultPart, Turn } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject, asString } from '../../json/json-value.ts'
import { decodeCalls, stateOfExtra } from '../decode-calls.ts'
import { decodeCacheMark, decodeContent } from '../decode-content.ts'
import { decodeReasoning, reasoningFields } from '../decode-reasoning.ts'
import { ownFields } from '../own-fields.ts'
import { isResultPart, splitResults, withCalls } from './anthropic-blocks.ts'

const knownOfPlain = new Set(['role', 'content', 'cache_control'])
const knownOfTool = new Set([...knownOfPlain, 'tool_call_id', 'name'])
const knownOfAssistant = new Set([
  ...knownOfPlain,
  ...reasoningFields,
  'tool_calls',
  'function_call',
  'refusal',
  'audio',
  'images',
  'extra_content',
])

/** Some clients mark a whole message for the cache: that is its last part. */
function markLast<P extends Part>(parts: P[], message: JsonObject): P[] {
  const last = parts.at(-1)
  const { cacheMark } = decodeCacheMark({ cache_control: message.cache_control })
  if (last && cacheMark) last.cacheMark = cacheMark
  return parts
}

function decodeAssistant(message: JsonObject, at: string): Turn {
  const calls = decodeCalls(message, 'client', refuse, at)
  const content = withCalls(decodeContent(message.content, `${at}.content`), calls)
  const parts: Part[] = [...decodeReasoning(message, at), ...content]
  const state = stateOfExtra(asObject(message.extra_content), 'client')
  const text = content.findLast((part) => part.type === 'text')
  if (state && text) text.state = state
  else if (state) {
    parts.push({ type: 'reasoning', sections: [], form: 'raw', state, at: `${at}.extra_content` })
  }
  const refusal = asString(message.refusal)
  if (refusal) parts.push({ type: 'refusal', text: refusal, at: `${at}.refusal` })
  const audio = asString(asObject(message.audio)?.id)
  if (audio) {
    const source = { type: 'file', id: audio, origin: 'chat' } as const
    parts.push({ type: 'media', kind: 'audio', source, at: `${at}.audio` })
  }
  if (message.images !== undefined && message.images !== null) {
    const images = decodeContent(message.images, `${at}.images`)
    parts.push(...images.filter((part) => part.type === 'media'))
  }
  parts.push(...calls)
  return {
    role: 'assistant',
    parts: markLast(parts, message),
    at,
    ...ownFields(message, knownOfAssistant),
  }
}

function decodeResult(message: JsonObject, at: string, freeformIds: ReadonlySet<string>): Turn {
  const callId = asString(message.tool_call_id) || null
  const name = asString(message.name) || null
  if (callId === null && name === null) refuse(`${at}.tool_call_id`, 'is_required')
  const parts = decodeContent(message.content, `${at}.content`).filter(isResultPart)
  const result: ToolResultPart = {
    type: 'result',
    callId,
    name,
    kind: callId !== null && freeformIds.has(callId) ? 'freeform' : 'function',
    isError: false,
    parts,
    at,
    ...decodeCacheMark({ cache_control: message.cache_control }),
  }
  return { role: 'tool', parts: [result], at, ...ownFields(message, knownOfTool) }
}

/** A user's message; one that brings results, too, is several turns. */
function decodeUser(message: JsonObject, at: string): Turn[] {
  const content = decodeContent(message.content, `${at}.content`)
  const turns = splitResults(content, at)
  markLast(turns.at(-1)?.parts ?? [], message)
  const [first] = turns
  if (first) Object.assign(first, ownFields(message, knownOfPlain))
  return turns
}

/**
 * `messages` as turns, mostly one for each message. Throws `invalid_request` naming the message or part that cannot
 * be read. A message of the deprecated role `function` has a name and no id.
 */
export function decodeMessages(messages: readonly unknown[]): Turn[] {
  const freeformIds = new Set<string>()
  return messages.flatMap((value, index): Turn | Turn[] => {
    const at = `messages[${index}]`
    const message = asObject(value)
    if (!message) return refuse(at, 'must_be_object')
    switch (message.role) {
      case 'user':
        return decodeUser(message, at)
      case 'system':
      case 'developer': {
        const parts = markLast<Part>(decodeContent(message.content, `${at}.content`), message)
        return { role: 'system', parts, at, ...ownFields(message, knownOfPlain) }
      }
      case 'assistant': {
        const turn = decodeAssistant(message, at)
        for (const part of turn.parts) {
          if (part.type === 'call' && part.kind === 'freeform' && part.id !== null) {
            freeformIds.add(part.id)
          }
        }
        return turn
      }
      case 'tool':
      case 'function':
        return decodeResult(message, at, freeformIds)
      default:
        return refuse(`${at}.role`, {
          code: 'must_be_either',
          values: ['developer', 'system', 'user', 'assistant', 'tool', 'function'],
        })
    }
  })
}
