import type { IssuedStates } from '../answers/issued-state.ts'
import { checkBase64, checkUrl, IMAGE_TYPES } from './media-rules.ts'
import type { OpenAiModel } from './openai-models.ts'
import {
  demand,
  type Json,
  noneTwice,
  objectAt,
  objectsAt,
  oneOf,
  onlyFields,
  refuse,
  textAt,
} from './refusal.ts'

/** Refuses what is wrong in `messages`: parts by role, calls without results, results without calls. */
export function checkChatMessages(body: Json, model: OpenAiModel, issued: IssuedStates): void {
  const messages = objectsAt(body.messages, 'messages')
  demand(messages.length > 0, 'messages', '[] is too short')
  let waiting: string[] = []
  let isBehindOther = false
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`
    const role = oneOf(message.role, `${path}.role`, roles(model))
    if (role === 'tool') {
      const id = checkToolMessage(message, path, model)
      demand(
        waiting.includes(id),
        path,
        'messages with role ‘tool’ must be a response to a preceding message with ‘tool_calls’',
      )
      waiting = waiting.filter((one) => one !== id)
      continue
    }
    demandAnswered(waiting, path)
    const isBehindResult = role === 'user' && messages[index - 1]?.role === 'tool'
    demand(!isBehindResult || model.userAfterTool, path, 'Unexpected role ‘user’ after role ‘tool’')
    if (role === 'assistant') waiting = checkAssistant(message, path, model)
    else checkOther(message, role, path)
    const isSystem = role === 'system' || role === 'developer'
    demand(
      !isSystem || !isBehindOther || model.midSystem,
      path,
      'System message must be at the beginning',
    )
    if (!isSystem) isBehindOther = true
  }
  demandAnswered(waiting, `messages[${messages.length - 1}]`)
  checkMarks(messages, model)
  if (model.wantsReasoning) checkReasoning(messages, issued)
}

const roles = (model: OpenAiModel): string =>
  model.developerRole ? 'developer system user assistant tool' : 'system user assistant tool'

const demandAnswered = (waiting: readonly string[], path: string): void =>
  demand(
    waiting.length === 0,
    path,
    `An assistant message with ‘tool_calls’ must be followed by tool messages responding to each ‘tool_call_id’. The following tool_call_ids did not have response messages: ${waiting.join(', ')}`,
  )

function checkToolMessage(message: Json, path: string, model: OpenAiModel): string {
  onlyFields(message, path, 'role content tool_call_id')
  const id = textAt(message.tool_call_id, `${path}.tool_call_id`)
  checkId(id, `${path}.tool_call_id`, model)
  checkContent(message.content, `${path}.content`, 'text')
  return id
}

const checkId = (id: string, path: string, model: OpenAiModel): void =>
  demand(
    id.length > 0 && id.length <= model.maxToolId,
    path,
    `string too long. Expected a string with maximum length ${model.maxToolId}, but got a string with length ${id.length} instead`,
  )

/** Gives the ids of its calls. */
function checkAssistant(message: Json, path: string, model: OpenAiModel): string[] {
  const own = 'role content name refusal tool_calls function_call audio'
  onlyFields(message, path, model.isOpenAi ? own : `${own} reasoning_content`)
  const { content, tool_calls: given } = message
  if (content != null && content !== '') checkContent(content, `${path}.content`, 'text refusal')
  if (given === undefined) {
    demand(
      content != null || message.refusal != null,
      `${path}.content`,
      'expected a string, got null',
    )
    return []
  }
  const calls = objectsAt(given, `${path}.tool_calls`)
  demand(calls.length > 0, `${path}.tool_calls`, '[] is too short')
  const ids = calls.map((call, index) => checkCall(call, `${path}.tool_calls[${index}]`, model))
  noneTwice(ids, `${path}.tool_calls`, 'Ids of calls')
  return ids
}

function checkCall(call: Json, path: string, model: OpenAiModel): string {
  const type = oneOf(call.type, `${path}.type`, model.isOpenAi ? 'function custom' : 'function')
  onlyFields(call, path, `id type ${type}`)
  const id = textAt(call.id, `${path}.id`)
  checkId(id, `${path}.id`, model)
  const inner = objectAt(call[type], `${path}.${type}`)
  onlyFields(inner, `${path}.${type}`, type === 'function' ? 'name arguments' : 'name input')
  const name = textAt(inner.name, `${path}.${type}.name`)
  demand(
    /^[a-zA-Z0-9_-]{1,64}$/.test(name),
    `${path}.${type}.name`,
    'string does not match pattern ‘^[a-zA-Z0-9_-]+$’',
  )
  if (type === 'custom') textAt(inner.input, `${path}.custom.input`)
  else checkArguments(inner.arguments, `${path}.function.arguments`)
  return id
}

/** Used by both of OpenAI's formats: JSON text of an object. */
export function checkArguments(value: unknown, path: string): void {
  const text = textAt(value, path)
  try {
    objectAt(JSON.parse(text), path)
  } catch {
    refuse(path, 'Invalid ‘arguments’: expected a JSON object as text')
  }
}

function checkOther(message: Json, role: string, path: string): void {
  onlyFields(message, path, 'role content name')
  const rich = 'text image_url input_audio file'
  checkContent(message.content, `${path}.content`, role === 'user' ? rich : 'text')
}

function checkContent(content: unknown, path: string, types: string): void {
  if (typeof content === 'string') return
  if (!Array.isArray(content)) refuse(path, 'expected one of a string or array of objects')
  demand(content.length > 0, path, '[] is too short')
  for (const [index, part] of objectsAt(content, path).entries()) {
    checkPart(part, `${path}[${index}]`, types)
  }
}

function checkPart(part: Json, path: string, types: string): void {
  const type = oneOf(part.type, `${path}.type`, types)
  onlyFields(part, path, `type ${type} prompt_cache_breakpoint`)
  if (type === 'text')
    demand(textAt(part.text, `${path}.text`) !== '', `${path}.text`, 'text must not be empty')
  if (type === 'image_url') {
    const image = objectAt(part.image_url, `${path}.image_url`)
    onlyFields(image, `${path}.image_url`, 'url detail')
    checkUrl(image.url, IMAGE_TYPES, `${path}.image_url.url`)
    if (image.detail !== undefined)
      oneOf(image.detail, `${path}.image_url.detail`, 'auto low high original')
  }
  if (type === 'input_audio') {
    const audio = objectAt(part.input_audio, `${path}.input_audio`)
    onlyFields(audio, `${path}.input_audio`, 'data format')
    const format = oneOf(audio.format, `${path}.input_audio.format`, 'wav mp3')
    checkBase64(audio.data, `audio/${format}`, 'audio/wav audio/mp3', `${path}.input_audio.data`)
  }
  if (type === 'file') {
    const file = objectAt(part.file, `${path}.file`)
    onlyFields(file, `${path}.file`, 'file_data file_id filename')
    if (file.file_data === undefined) textAt(file.file_id, `${path}.file.file_id`)
    else {
      demand(
        String(file.file_data).startsWith('data:'),
        `${path}.file.file_data`,
        'expected a data URL',
      )
      checkUrl(file.file_data, 'application/pdf', `${path}.file.file_data`)
      demand(
        textAt(file.filename, `${path}.file.filename`) !== '',
        `${path}.file.filename`,
        'Missing required parameter',
      )
    }
  }
}

function checkMarks(messages: readonly Json[], model: OpenAiModel): void {
  const parts = messages.flatMap(({ content }) =>
    Array.isArray(content) ? (content as Json[]) : [],
  )
  const marks = parts.filter((part) => part.prompt_cache_breakpoint !== undefined)
  demand(
    marks.length === 0 || model.cacheMarks,
    'messages',
    'Unknown parameter: ‘prompt_cache_breakpoint’',
  )
  demand(marks.length <= 4, 'messages', 'at most 4 prompt_cache_breakpoint')
  for (const { prompt_cache_breakpoint: mark } of marks) {
    const known = objectAt(mark, 'prompt_cache_breakpoint')
    onlyFields(known, 'prompt_cache_breakpoint', 'mode ttl')
    oneOf(known.mode, 'prompt_cache_breakpoint.mode', 'explicit')
  }
}

/** In a tool loop that goes on, DeepSeek and its like want the thoughts of each step back unchanged. */
function checkReasoning(messages: readonly Json[], issued: IssuedStates): void {
  const start = messages.findLastIndex(
    ({ role }, index) => role === 'user' && messages[index - 1]?.role !== 'tool',
  )
  for (const [offset, message] of messages.slice(start + 1).entries()) {
    const calls = Array.isArray(message.tool_calls) ? (message.tool_calls as Json[]) : []
    if (calls.length === 0) continue
    const path = `messages[${start + 1 + offset}].reasoning_content`
    const { reasoning_content: text } = message
    demand(
      typeof text === 'string',
      path,
      'Missing `reasoning_content` field in the assistant message at this index: the reasoning_content in the thinking mode must be passed back to the API',
    )
    const owed = calls.flatMap(({ id }) => issued.ofCall(String(id)))
    demand(
      owed.every((state) => state.text === text),
      path,
      'The reasoning_content is not what the model wrote',
    )
  }
}
