import type { IssuedStates } from '../answers/issued-state.ts'
import type { ClaudeModel } from './claude-models.ts'
import { checkBase64, checkUrl, IMAGE_TYPES } from './media-rules.ts'
import {
  demand,
  isObject,
  type Json,
  noneTwice,
  objectAt,
  objectsAt,
  oneOf,
  onlyFields,
  refuse,
  textAt,
} from './refusal.ts'

interface Message {
  role: string
  blocks: Json[]
  path: string
}

const USER_BLOCKS = 'text image document search_result tool_result container_upload'
const ASSISTANT_BLOCKS =
  'text thinking redacted_thinking tool_use server_tool_use web_search_tool_result web_fetch_tool_result code_execution_tool_result bash_code_execution_tool_result text_editor_code_execution_tool_result tool_search_tool_result'

/** Refuses what is wrong in `messages`: blocks, order of turns, calls and results, thoughts. */
export function checkMessagesTurns(
  body: Json,
  model: ClaudeModel,
  thinks: boolean,
  issued: IssuedStates,
): void {
  const raw = objectsAt(body.messages, 'messages')
  demand(raw.length > 0, 'messages', 'at least one message is required')
  const messages = merge(raw.map((one, index) => readMessage(one, `messages[${index}]`, model)))
  demand(messages[0]?.role === 'user', 'messages[0].role', 'first message must use the user role')
  for (const [index, message] of messages.entries()) {
    for (const [at, block] of message.blocks.entries()) {
      checkBlock(block, `${message.path}.content[${at}]`, message.role)
    }
    if (message.role === 'assistant')
      checkThoughts(message, issued, thinks && isOpen(messages, index))
    checkPairing(messages, index)
  }
  const uses = messages.flatMap(({ blocks }) => blocks.filter((block) => block.type === 'tool_use'))
  noneTwice(
    uses.map((use) => use.id),
    'messages',
    '`tool_use` ids',
  )
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return
  demand(
    model.prefill,
    'messages',
    'This model does not support assistant message prefill. The conversation must end with a user message',
  )
  const end = last.blocks.at(-1)
  demand(
    end?.type !== 'text' || !/\s$/.test(String(end.text)),
    'messages',
    'final assistant content cannot end with trailing whitespace',
  )
}

function readMessage(message: Json, path: string, model: ClaudeModel): Message {
  onlyFields(message, path, 'role content')
  const role = textAt(message.role, `${path}.role`)
  if (role === 'system' && !model.midSystem) {
    refuse(`${path}.role`, 'role ‘system’ is not supported in messages on this model')
  }
  oneOf(role, `${path}.role`, 'user assistant system')
  const { content } = message
  if (typeof content === 'string') {
    demand(content.trim() !== '', `${path}.content`, 'messages must have non-empty content')
    return { role, path, blocks: [{ type: 'text', text: content }] }
  }
  const blocks = objectsAt(content, `${path}.content`)
  demand(blocks.length > 0, `${path}.content`, 'messages must have non-empty content')
  return { role, path, blocks }
}

/** The vendor takes neighbours of one role as one turn. */
function merge(messages: Message[]): Message[] {
  const merged: Message[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role === message.role) last.blocks = [...last.blocks, ...message.blocks]
    else merged.push({ ...message })
  }
  return merged
}

function checkBlock(block: Json, path: string, role: string): void {
  const allowed = role === 'assistant' ? ASSISTANT_BLOCKS : role === 'system' ? 'text' : USER_BLOCKS
  const type = oneOf(block.type, `${path}.type`, allowed)
  if (type === 'text') {
    onlyFields(block, path, 'type text cache_control citations')
    demand(
      textAt(block.text, `${path}.text`).trim() !== '',
      path,
      'text content blocks must contain non-whitespace text',
    )
  } else if (type === 'image') checkImage(block, path)
  else if (type === 'document') checkDocument(block, path)
  else if (type === 'tool_use') {
    onlyFields(block, path, 'type id name input cache_control caller toolset_name')
    checkId(block.id, `${path}.id`)
    demand(
      /^[a-zA-Z0-9_-]{1,128}$/.test(textAt(block.name, `${path}.name`)),
      `${path}.name`,
      'String should match pattern ‘^[a-zA-Z0-9_-]{1,128}$’',
    )
    demand(isObject(block.input), `${path}.input`, 'Input should be an object')
  } else if (type === 'tool_result') checkResult(block, path)
}

const checkId = (id: unknown, path: string): void =>
  demand(
    /^[a-zA-Z0-9_-]+$/.test(textAt(id, path)),
    path,
    'String should match pattern ‘^[a-zA-Z0-9_-]+$’',
  )

function checkImage(block: Json, path: string): void {
  onlyFields(block, path, 'type source cache_control transformations')
  const source = objectAt(block.source, `${path}.source`)
  const type = oneOf(source.type, `${path}.source.type`, 'base64 url file')
  if (type === 'base64') {
    onlyFields(source, `${path}.source`, 'type media_type data')
    checkBase64(source.data, source.media_type, IMAGE_TYPES, `${path}.source.data`)
  } else if (type === 'url') {
    demand(
      String(source.url).startsWith('https://'),
      `${path}.source.url`,
      'Only HTTPS URLs are supported',
    )
    checkUrl(source.url, '', `${path}.source.url`)
  }
}

function checkDocument(block: Json, path: string): void {
  onlyFields(block, path, 'type source cache_control citations context title')
  const source = objectAt(block.source, `${path}.source`)
  const type = oneOf(source.type, `${path}.source.type`, 'base64 text url content file')
  if (type === 'base64') checkBase64(source.data, source.media_type, 'application/pdf', path)
  if (type === 'text') {
    oneOf(source.media_type, `${path}.source.media_type`, 'text/plain')
    demand(textAt(source.data, `${path}.source.data`) !== '', path, 'document is empty')
  }
}

function checkResult(block: Json, path: string): void {
  onlyFields(block, path, 'type tool_use_id content is_error cache_control toolset_name')
  checkId(block.tool_use_id, `${path}.tool_use_id`)
  if (block.is_error !== undefined)
    demand(typeof block.is_error === 'boolean', `${path}.is_error`, 'Input should be a boolean')
  if (block.content === undefined || typeof block.content === 'string') {
    demand(
      !block.is_error || String(block.content ?? '') !== '',
      path,
      'content cannot be empty if `is_error` is true',
    )
    return
  }
  for (const [index, part] of objectsAt(block.content, `${path}.content`).entries()) {
    const at = `${path}.content[${index}]`
    oneOf(part.type, `${at}.type`, 'text image document search_result tool_reference')
    checkBlock(part, at, 'user')
  }
}

/** Every call has its result in the very next turn, before anything else, and each result its call. */
function checkPairing(messages: readonly Message[], index: number): void {
  const { role, blocks, path } = messages[index] as Message
  const next = messages[index + 1]
  if (role === 'assistant') {
    const ids = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
    if (ids.length === 0) return
    const results = next?.role === 'user' ? leadingResults(next) : []
    const missing = ids.filter((id) => !results.includes(id))
    demand(
      missing.length === 0,
      path,
      `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message`,
    )
    return
  }
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block) => block.tool_use_id)
  noneTwice(results, path, 'results of a `tool_use`')
  const before = messages[index - 1]
  const calls =
    before?.role === 'assistant' ? before.blocks.filter(({ type }) => type === 'tool_use') : []
  const orphan = results.find((id) => !calls.some((call) => call.id === id))
  demand(
    orphan === undefined,
    path,
    `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message`,
  )
}

/** Ids of the results before any other content. */
function leadingResults({ blocks }: Message): unknown[] {
  const end = blocks.findIndex(({ type }) => type !== 'tool_result')
  return blocks.slice(0, end < 0 ? blocks.length : end).map((block) => block.tool_use_id)
}

/** Is this assistant turn part of the tool loop that is still going on? */
const isOpen = (messages: readonly Message[], index: number): boolean =>
  messages
    .slice(index + 1)
    .filter(({ role }) => role === 'user')
    .every(({ blocks }) => blocks[0]?.type === 'tool_result')

/** Thoughts come first, with a signature that was made here for this very text and place. */
function checkThoughts(
  { blocks, path }: Message,
  issued: IssuedStates,
  mustBeThere: boolean,
): void {
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => String(id))
  let lastOther = -1
  for (const [index, block] of blocks.entries()) {
    const at = `${path}.content[${index}]`
    if (block.type !== 'thinking' && block.type !== 'redacted_thinking') {
      lastOther = index
      continue
    }
    demand(lastOther < 0, at, 'thinking blocks must come first in the assistant turn')
    const isRedacted = block.type === 'redacted_thinking'
    onlyFields(block, at, isRedacted ? 'type data' : 'type thinking signature')
    const state = issued.get(isRedacted ? block.data : block.signature)
    if (!state)
      refuse(at, `Invalid \`${isRedacted ? 'data' : 'signature'}\` in \`${block.type}\` block`)
    demand(
      isRedacted || block.thinking === state.text,
      `${at}.thinking`,
      '`thinking` blocks in the assistant message cannot be modified',
    )
    demand(
      state.calls.every((id) => calls.includes(id)),
      at,
      'the thinking block belongs to another turn',
    )
  }
  if (!mustBeThere) return
  const owed = calls.flatMap((id) => issued.ofCall(id))
  const has = blocks.some(({ type }) => type === 'thinking' || type === 'redacted_thinking')
  demand(
    owed.length === 0 || has,
    `${path}.content[0]`,
    'Expected `thinking` or `redacted_thinking`, but found `tool_use`',
  )
}
