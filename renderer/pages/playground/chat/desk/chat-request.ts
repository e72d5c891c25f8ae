import type { OperationInput } from '../../../../../preload/contract.ts'
import { taggedText } from '../stream/split-thought.ts'
import { filePart } from './attachments.ts'
import type { Attachment, ColumnSettings, ToolDraft, Turn } from './chat-record.ts'

type Json = Record<string, unknown>
/** Base64 of a file. */
export type DataOf = (file: Attachment) => string

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null for what is no JSON object. */
export function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const isEmptyOrObject = (text: string): boolean => text.trim() === '' || parseObject(text) !== null

const brokenSettings = new WeakMap<ColumnSettings, boolean>()

/** As `brokenFields`, looked at once for the same settings: it's asked on every change. */
export function isBroken(settings: ColumnSettings): boolean {
  const known = brokenSettings.get(settings) ?? brokenFields(settings)
  brokenSettings.set(settings, known)
  return known
}

/** Settings that hold no JSON where there should be some can't be sent. */
export const brokenFields = ({ extra, schema, tools }: ColumnSettings): boolean =>
  !isEmptyOrObject(extra) ||
  !isEmptyOrObject(schema) ||
  tools.some((tool) => tool.name.trim() === '' || !isEmptyOrObject(tool.schema))

function userContent({ text, attachments }: Turn, dataOf: DataOf): unknown {
  if (attachments.length === 0) return text
  const parts = attachments.map((file) => filePart(file, dataOf(file)))
  return text === '' ? parts : [...parts, { type: 'text', text }]
}

/**
 * A thought goes back to its model alone, as it came: between tags (https://platform.minimaxi.com/docs/api-reference/text-openai-api),
 * or before a tool's results in a field that vendors without it may refuse
 * (https://api-docs.deepseek.com/guides/thinking_mode).
 */
function replyFields(turn: Turn, { model, format }: ColumnSettings, hasResults: boolean): Json {
  const isOwn = format === 'chat' && turn.model === model
  const text = isOwn && turn.isTagged ? taggedText(turn) : turn.text
  const isOwed = isOwn && turn.goesBack && hasResults
  return { content: text || null, ...(isOwed ? { reasoning_content: turn.reasoning } : {}) }
}

function messagesOf(turn: Turn, settings: ColumnSettings, dataOf: DataOf): Json[] {
  if (turn.role === 'user') return [{ role: 'user', content: userContent(turn, dataOf) }]
  const answered = turn.calls.filter(({ result }) => result !== null)
  if (turn.text === '' && answered.length === 0) return []
  const calls = answered.map(({ id, name, arguments: text }) => ({
    ...{ id, type: 'function' },
    function: { name, arguments: text || '{}' },
  }))
  return [
    {
      role: 'assistant',
      ...replyFields(turn, settings, answered.length > 0),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
    ...answered.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
  ]
}

const toolOf = ({ name, description, schema }: ToolDraft): Json => ({
  type: 'function',
  function: {
    name: name.trim(),
    ...(description.trim() ? { description: description.trim() } : {}),
    parameters: parseObject(schema) ?? { type: 'object', properties: {} },
  },
})

function toolChoiceOf({ toolChoice, tools }: ColumnSettings): unknown {
  const tool = tools.find(({ id }) => toolChoice === `tool ${id}`)
  if (tool) return { type: 'function', function: { name: tool.name.trim() } }
  return toolChoice === '' || toolChoice.startsWith('tool ') ? undefined : toolChoice
}

/** The fields of tools; without any there is nothing to choose. */
function toolFields(settings: ColumnSettings): Json {
  const { tools } = settings
  if (tools.length === 0) return {}
  const choice = toolChoiceOf(settings)
  return { tools: tools.map(toolOf), ...(choice === undefined ? {} : { tool_choice: choice }) }
}

/** The request that answers the last of `thread`; only what was set is in it. */
export function chatRequest(
  settings: ColumnSettings,
  thread: readonly Turn[],
  dataOf: DataOf,
): OperationInput<'playground.send'> {
  const { model, channel, token, format, system, numbers, stop, schema, extra } = settings
  const { effort, verbosity, budget } = settings
  const stops = stop.split('\n').filter((line) => line !== '')
  const answer = parseObject(schema)
  const further = parseObject(extra)
  return {
    ...{ model, format },
    ...(channel === null ? {} : { channel }),
    ...(token === null ? {} : { token }),
    body: {
      messages: [
        ...(system.trim() ? [{ role: 'system', content: system }] : []),
        ...thread.flatMap((turn) => messagesOf(turn, settings, dataOf)),
      ] as { role: string }[],
      ...numbers,
      ...(stops.length > 0 ? { stop: stops } : {}),
      ...(effort ? { reasoning_effort: effort } : {}),
      ...(verbosity ? { verbosity } : {}),
      ...(budget === null ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }),
      ...toolFields(settings),
      ...(answer
        ? {
            response_format: {
              type: 'json_schema',
              json_schema: { name: 'answer', strict: true, schema: answer },
            },
          }
        : {}),
    },
    ...(further ? { extra: further } : {}),
  }
}
