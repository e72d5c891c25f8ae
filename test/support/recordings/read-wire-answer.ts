import type { Usage, WireFormat } from '../../../main/convert/exchange.ts'
import type { Json } from '../strict/requests/refusal.ts'

/** An answer as a client of its format reads it from the wire, without the gateway's own code. */
export interface WireAnswer {
  text: string
  /** Arguments as the object that they stand for; those of a freeform tool as their text. */
  calls: { name: string; arguments: unknown }[]
  thoughts: string
  /** The format's own word; of Responses the status and its detail: `incomplete max_output_tokens`. */
  stop: string | null
  /** By the table of wire-formats 8.7; null where the vendor tells none. */
  usage: Omit<Usage, 'detail'> | null
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? value : [])
const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}
const count = (value: unknown): number => (typeof value === 'number' ? value : 0)
const string = (value: unknown): string => (typeof value === 'string' ? value : '')
const parse = (text: string): unknown => (text.trim() === '' ? {} : JSON.parse(text))
const joined = (values: readonly unknown[]): string => values.map(string).join('')

/** Reads a whole answer (one object) or a stream (what the data of its events says). */
export function readWireAnswer(format: WireFormat, objects: readonly Json[]): WireAnswer {
  if (format === 'chat') return readChat(objects)
  if (format === 'messages') return readMessages(objects)
  return format === 'responses' ? readResponses(objects) : readGoogle(objects)
}

/** Mistral's content is a list where it thinks: `[{type: 'thinking', thinking: [{text}]}, {type: 'text', text}]`. */
function spokenIn(content: unknown, type: 'text' | 'thinking'): string {
  if (!Array.isArray(content)) return type === 'text' ? string(content) : ''
  const chunks = list(content).filter((chunk) => chunk.type === type)
  return joined(
    chunks.flatMap((chunk) => chunk.text ?? list(chunk.thinking).map(({ text }) => text)),
  )
}

function readChat(objects: readonly Json[]): WireAnswer {
  // Of several answers the first: not every format has more.
  const choices = objects.flatMap((one) => list(one.choices)).filter((one) => !one.index)
  const said = choices.map((choice) => object(choice.delta ?? choice.message))
  const calls: { name: string; text: string; isFree: boolean }[] = []
  for (const [at, call] of said.flatMap((one) =>
    list(one.tool_calls).map((call, at) => [at, call] as const),
  )) {
    const index = count(call.index ?? at)
    const inner = object(call.function ?? call.custom)
    calls[index] ??= { name: '', text: '', isFree: call.function === undefined }
    const known = calls[index]
    if (known.name === '') known.name = string(inner.name)
    known.text += string(inner.arguments ?? inner.input)
  }
  // OpenAI's older form of a call.
  const old = said.map((one) => object(one.function_call))
  const name = joined(old.map((one) => one.name))
  if (name) calls.push({ name, text: joined(old.map((one) => one.arguments)), isFree: false })
  const usage = object(objects.findLast((one) => one.usage)?.usage)
  const read = object(usage.prompt_tokens_details)
  const sound = count(read.audio_tokens)
  const told = count(usage.prompt_tokens) + count(usage.completion_tokens)
  // Mistral counts sound beside the prompt.
  const isBeside = count(usage.total_tokens) === told + sound
  const input = count(usage.prompt_tokens) + (isBeside ? sound : 0)
  const words = joined(said.flatMap(({ content, refusal }) => [spokenIn(content, 'text'), refusal]))
  const thoughts = joined(
    said.map((one) => one.reasoning_content ?? one.reasoning ?? spokenIn(one.content, 'thinking')),
  )
  // Where a model thinks in its text.
  const leading = thoughts === '' ? /^\s*<think>(.*?)(?:<\/think>|$)/s.exec(words) : null
  const [tagged = '', thought = thoughts] = leading ?? []
  return {
    text: words.slice(tagged.length),
    calls: calls
      .filter((call) => call)
      .map(({ name, text, isFree }) => ({ name, arguments: isFree ? text : parse(text) })),
    thoughts: thought,
    stop: string(choices.findLast((choice) => choice.finish_reason)?.finish_reason) || null,
    usage:
      usage.prompt_tokens === undefined
        ? null
        : {
            input,
            // DeepSeek's and Moonshot's own names.
            cachedInput: count(
              read.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens,
            ),
            cacheWrite: count(read.cache_write_tokens ?? usage.cache_creation_input_tokens),
            output: count(usage.total_tokens) - input,
            reasoning: count(object(usage.completion_tokens_details).reasoning_tokens),
          },
  }
}

/** The blocks of a message, those of a stream with their deltas joined. */
function messageBlocks(objects: readonly Json[]): Json[] {
  const blocks: Json[] = []
  for (const event of objects) {
    if (event.type === 'message') return list(event.content)
    // Some streams begin with a whole block.
    if (event.type === 'message_start') blocks.push(...list(object(event.message).content))
    if (event.type === 'content_block_start') blocks.push({ ...object(event.content_block) })
    const block = blocks[count(event.index)]
    if (event.type !== 'content_block_delta' || !block) continue
    const { text, thinking, partial_json: json } = object(event.delta)
    if (text !== undefined) block.text = string(block.text) + string(text)
    if (thinking !== undefined) block.thinking = string(block.thinking) + string(thinking)
    if (json !== undefined) block.json = string(block.json) + string(json)
  }
  return blocks
}

function readMessages(objects: readonly Json[]): WireAnswer {
  const blocks = messageBlocks(objects)
  const ofType = (wanted: string) => blocks.filter(({ type }) => type === wanted)
  // Cumulative, field by field: what comes later counts (a zero that follows a figure does not).
  const usage: Json = {}
  for (const one of objects) {
    for (const [name, value] of Object.entries(object(one.usage ?? object(one.message).usage))) {
      if (value !== null && (value !== 0 || usage[name] === undefined)) usage[name] = value
    }
  }
  // Billed as well, and counted nowhere else.
  const compactions = list(usage.iterations).filter(({ type }) => type === 'compaction')
  const sum = (name: string) =>
    [usage, ...compactions].reduce((total, one) => total + count(one[name]), 0)
  const cachedInput = sum('cache_read_input_tokens')
  const cacheWrite = sum('cache_creation_input_tokens')
  return {
    text: joined(ofType('text').map(({ text }) => text)),
    calls: ofType('tool_use').map(({ name, input, json }) => ({
      name: string(name),
      arguments: json === undefined ? input : parse(string(json)),
    })),
    thoughts: joined(ofType('thinking').map(({ thinking }) => thinking)),
    stop: joined(objects.map((one) => one.stop_reason ?? object(one.delta).stop_reason)) || null,
    usage: {
      input: sum('input_tokens') + cachedInput + cacheWrite,
      cachedInput,
      cacheWrite,
      output: sum('output_tokens'),
      reasoning: count(object(usage.output_tokens_details).thinking_tokens),
    },
  }
}

/** Calls that the client must run: functions, and OpenAI's tools that run at the client, named as declared. */
function responsesCall(item: Json): WireAnswer['calls'] {
  const name = string(item.type).replace(/_call$/, '')
  switch (item.type) {
    case 'function_call':
      return [{ name: string(item.name), arguments: parse(string(item.arguments)) }]
    case 'custom_tool_call':
      return [{ name: string(item.name), arguments: item.input }]
    case 'apply_patch_call':
      return [{ name, arguments: item.operation }]
    case 'shell_call':
      // One in a container is run by the vendor.
      return object(item.environment).container_id === undefined
        ? [{ name, arguments: item.action }]
        : []
    case 'local_shell_call': {
      const { type: _exec, ...action } = object(item.action)
      return [{ name, arguments: action }]
    }
    case 'tool_search_call':
      return item.execution === 'client' ? [{ name, arguments: item.arguments }] : []
    default:
      return []
  }
}

function readResponses(objects: readonly Json[]): WireAnswer {
  const last = object(objects.at(-1)?.response ?? objects.at(-1))
  const output = list(last.output)
  const ofType = (wanted: string) => output.filter(({ type }) => type === wanted)
  const usage = object(last.usage)
  const read = object(usage.input_tokens_details)
  const content = ofType('message').flatMap((item) => list(item.content))
  const detail = string(object(last.incomplete_details).reason)
  const thoughts = ofType('reasoning').flatMap((item) => [
    ...list(item.summary),
    ...list(item.content),
  ])
  return {
    text: joined(content.map(({ text, refusal }) => text ?? refusal)),
    calls: output.flatMap(responsesCall),
    thoughts: joined(thoughts.map(({ text }) => text)),
    stop: [string(last.status), detail].filter((word) => word !== '').join(' ') || null,
    usage:
      usage.input_tokens === undefined
        ? null
        : {
            input: count(usage.input_tokens),
            cachedInput: count(read.cached_tokens),
            cacheWrite: count(read.cache_write_tokens),
            output: count(usage.output_tokens),
            reasoning: count(object(usage.output_tokens_details).reasoning_tokens),
          },
  }
}

function readGoogle(objects: readonly Json[]): WireAnswer {
  const candidates = objects.flatMap((one) => list(one.candidates)).filter((one) => !one.index)
  const parts = candidates.flatMap(({ content }) => list(object(content).parts))
  const usage = object(objects.findLast((one) => one.usageMetadata)?.usageMetadata)
  const reasoning = count(usage.thoughtsTokenCount)
  return {
    text: joined(parts.filter(({ thought }) => thought !== true).map(({ text }) => text)),
    calls: parts
      .filter(({ functionCall }) => functionCall !== undefined)
      .map(({ functionCall }) => ({
        name: string(object(functionCall).name),
        arguments: object(functionCall).args ?? {},
      })),
    thoughts: joined(parts.filter(({ thought }) => thought === true).map(({ text }) => text)),
    stop: string(candidates.findLast((one) => one.finishReason)?.finishReason) || null,
    usage:
      usage.promptTokenCount === undefined
        ? null
        : {
            input: count(usage.promptTokenCount) + count(usage.toolUsePromptTokenCount),
            cachedInput: count(usage.cachedContentTokenCount),
            cacheWrite: 0,
            output: count(usage.candidatesTokenCount) + reasoning,
            reasoning,
          },
  }
}
