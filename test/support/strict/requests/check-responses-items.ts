import type { IssuedStates } from '../answers/issued-state.ts'
import { checkArguments } from './check-chat-messages.ts'
import { checkUrl, IMAGE_TYPES } from './media-rules.ts'
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

const CALLS = ['function_call', 'custom_tool_call']
const OUTPUTS = ['function_call_output', 'custom_tool_call_output']
const FREE_ITEMS =
  'web_search_call file_search_call code_interpreter_call image_generation_call computer_call computer_call_output local_shell_call local_shell_call_output shell_call shell_call_output apply_patch_call apply_patch_call_output mcp_call mcp_list_tools mcp_approval_request mcp_approval_response tool_search_call tool_search_output additional_tools compaction compaction_trigger item_reference'

/** Refuses what is wrong in `input`: items, pairs of calls and outputs, reasoning parted from its item. */
export function checkResponsesItems(body: Json, issued: IssuedStates): void {
  const { input } = body
  if (typeof input === 'string') {
    demand(input !== '', 'input', 'Input must not be empty')
    return
  }
  const items = objectsAt(input, 'input')
  demand(items.length > 0 || body.instructions != null, 'input', 'Input must not be empty')
  for (const [index, item] of items.entries()) checkItem(item, `input[${index}]`, body)
  checkPairs(items)
  for (const index of items.keys()) checkReasoning(items, index, body.store === false, issued)
}

/** Codex with OpenAI as its provider sets it on every item, and the vendor takes it. */
const PASSED_THROUGH = 'internal_chat_message_metadata_passthrough'

function checkItem({ [PASSED_THROUGH]: _, ...item }: Json, path: string, body: Json): void {
  const type = textAt(item.type ?? 'message', `${path}.type`)
  if (type === 'message') checkMessage(item, path)
  else if (type === 'function_call') {
    onlyFields(item, path, 'type id call_id name arguments namespace status caller')
    checkName(item.name, `${path}.name`)
    checkCallId(item.call_id, path)
    checkArguments(item.arguments, `${path}.arguments`)
    checkItemId(item.id, 'fc', path)
    demand(
      item.namespace === undefined || offersNamespace(body, item.namespace),
      `${path}.namespace`,
      'Unknown namespace',
    )
  } else if (type === 'custom_tool_call') {
    onlyFields(item, path, 'type id call_id name input namespace status caller')
    checkName(item.name, `${path}.name`)
    checkCallId(item.call_id, path)
    textAt(item.input, `${path}.input`)
    checkItemId(item.id, 'ctc', path)
  } else if (OUTPUTS.includes(type)) {
    onlyFields(item, path, 'type id call_id output status caller')
    checkCallId(item.call_id, path)
    if (typeof item.output !== 'string')
      checkContent(item.output, `${path}.output`, 'input_text input_image input_file')
  } else if (type === 'reasoning') {
    onlyFields(item, path, 'type id summary content encrypted_content status')
    for (const [index, part] of objectsAt(item.summary, `${path}.summary`).entries()) {
      onlyFields(part, `${path}.summary[${index}]`, 'type text')
      oneOf(part.type, `${path}.summary[${index}].type`, 'summary_text')
      textAt(part.text, `${path}.summary[${index}].text`)
    }
    checkItemId(item.id, 'rs', path)
  } else oneOf(type, `${path}.type`, FREE_ITEMS)
}

const offersNamespace = (body: Json, name: unknown): boolean =>
  Array.isArray(body.tools) &&
  body.tools.some((tool: Json) => tool.type === 'namespace' && tool.name === name)

const checkName = (name: unknown, path: string): void =>
  demand(
    /^[a-zA-Z0-9_-]{1,64}$/.test(textAt(name, path)),
    path,
    'string does not match pattern ‘^[a-zA-Z0-9_-]+$’',
  )

function checkCallId(id: unknown, path: string): void {
  const text = textAt(id, `${path}.call_id`)
  demand(
    text.length > 0 && text.length <= 64,
    `${path}.call_id`,
    `string too long. Expected a string with maximum length 64, but got ${text.length}`,
  )
}

function checkItemId(id: unknown, prefix: string, path: string): void {
  if (id == null) return
  const text = textAt(id, `${path}.id`)
  demand(
    text.startsWith(`${prefix}_`),
    `${path}.id`,
    `Invalid ‘id’: expected an ID that begins with ‘${prefix}’`,
  )
  demand(text.length <= 64, `${path}.id`, 'string too long: at most 64')
}

function checkMessage(item: Json, path: string): void {
  onlyFields(item, path, 'type role content phase id status')
  const role = oneOf(item.role, `${path}.role`, 'user assistant system developer')
  checkItemId(item.id, 'msg', path)
  if (typeof item.content === 'string') return
  const types =
    role === 'assistant'
      ? 'output_text refusal'
      : role === 'user'
        ? 'input_text input_image input_file input_audio'
        : 'input_text'
  checkContent(item.content, `${path}.content`, types)
}

function checkContent(content: unknown, path: string, types: string): void {
  const parts = objectsAt(content, path)
  demand(parts.length > 0, path, 'Content must not be empty')
  for (const [index, part] of parts.entries()) checkPart(part, `${path}[${index}]`, types)
}

function checkPart(part: Json, path: string, types: string): void {
  const type = oneOf(part.type, `${path}.type`, types)
  if (type === 'input_text') {
    onlyFields(part, path, 'type text prompt_cache_breakpoint')
    demand(textAt(part.text, `${path}.text`) !== '', `${path}.text`, 'text must not be empty')
  } else if (type === 'output_text') {
    onlyFields(part, path, 'type text annotations logprobs')
    textAt(part.text, `${path}.text`)
  } else if (type === 'refusal') {
    onlyFields(part, path, 'type refusal')
  } else if (type === 'input_image') {
    onlyFields(part, path, 'type image_url file_id detail prompt_cache_breakpoint')
    if (part.file_id == null) checkUrl(part.image_url, IMAGE_TYPES, `${path}.image_url`)
    if (part.detail != null) oneOf(part.detail, `${path}.detail`, 'auto low high original')
  } else if (type === 'input_file') {
    onlyFields(
      part,
      path,
      'type file_data file_url file_id filename detail prompt_cache_breakpoint',
    )
    if (part.file_data != null) {
      demand(String(part.file_data).startsWith('data:'), `${path}.file_data`, 'expected a data URL')
      checkUrl(part.file_data, 'application/pdf', `${path}.file_data`)
      demand(
        textAt(part.filename, `${path}.filename`) !== '',
        `${path}.filename`,
        'Missing required parameter',
      )
    }
  } else objectAt(part.input_audio, `${path}.input_audio`)
}

/** Each call has one output behind it, and each output a call before it. */
function checkPairs(items: readonly Json[]): void {
  const calls = items.filter(({ type }) => CALLS.includes(String(type)))
  const outputs = items.filter(({ type }) => OUTPUTS.includes(String(type)))
  noneTwice(
    calls.map((call) => call.call_id),
    'input',
    'call_id of calls',
  )
  noneTwice(
    outputs.map((output) => output.call_id),
    'input',
    'call_id of outputs',
  )
  for (const call of calls) {
    const output = outputs.find((one) => one.call_id === call.call_id)
    if (!output || items.indexOf(output) < items.indexOf(call)) {
      refuse('input', `No tool output found for function call ${call.call_id}.`)
    }
    demand(
      output.type === `${call.type}_output`,
      'input',
      `The output of ${call.call_id} is of another kind`,
    )
  }
  const orphan = outputs.find((one) => !calls.some((call) => call.call_id === one.call_id))
  if (orphan)
    refuse('input', `No tool call found for function call output with call_id ${orphan.call_id}.`)
}

/** A reasoning item was made here, is unchanged and stands before what followed it, and the reverse. */
function checkReasoning(
  items: readonly Json[],
  index: number,
  isStateless: boolean,
  issued: IssuedStates,
): void {
  const item = items[index] as Json
  const path = `input[${index}]`
  if (item.type !== 'reasoning') {
    if (!CALLS.includes(String(item.type))) return
    const owed = issued.ofCall(String(item.call_id))
    const turnStart = items
      .slice(0, index)
      .findLastIndex((one) => one.role === 'user' || OUTPUTS.includes(String(one.type)))
    const before = items.slice(turnStart + 1, index)
    const isThere = before.some((one) => owed.some(({ data }) => data === one.encrypted_content))
    demand(
      owed.length === 0 || isThere,
      path,
      `Item of type ‘${item.type}’ was provided without its required ‘reasoning’ item: ‘${owed[0]?.id}’`,
    )
    return
  }
  const state = issued.get(item.encrypted_content)
  if (item.encrypted_content != null && !state) {
    refuse(
      `${path}.encrypted_content`,
      'The encrypted content could not be verified',
      400,
      'invalid_encrypted_content',
    )
  }
  demand(
    !isStateless || state,
    path,
    `Item with id ‘${item.id}’ not found. Items are not persisted when ‘store’ is set to false`,
  )
  demand(state || item.id == null, path, `Item with id ‘${item.id}’ not found`)
  if (!state) return
  demand(
    item.id == null || item.id === state.id,
    `${path}.id`,
    'The id is not that of the encrypted content',
  )
  const summary = (item.summary as Json[]).map((part) => part.text).join('')
  demand(summary === '' || summary === state.text, `${path}.summary`, 'The summary was changed')
  const next = items[index + 1]
  const isFollowed =
    next !== undefined && (CALLS.includes(String(next.type)) || next.role === 'assistant')
  demand(
    isFollowed,
    path,
    `Item ‘${state.id}’ of type ‘reasoning’ was provided without its required following item`,
  )
  const isOwn =
    next.role === 'assistant'
      ? state.said !== ''
      : state.said === '' && state.calls[0] === next.call_id
  demand(
    isOwn,
    path,
    `Item ‘${state.id}’ of type ‘reasoning’ is followed by an item that is not its own`,
  )
}
