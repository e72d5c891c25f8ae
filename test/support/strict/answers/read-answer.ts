import type { WireFormat } from '../../../../main/convert/exchange.ts'
import type { Json } from '../requests/refusal.ts'

export interface ReadAnswer {
  text: string
  calls: { name: string; arguments: unknown }[]
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? value : [])
const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}
const parse = (text: unknown): unknown => JSON.parse(String(text ?? '') || '{}')

/** A whole answer (one object) or a stream (its events' data) as a client of the format reads it. */
export function readAnswer(format: WireFormat, events: readonly Json[]): ReadAnswer {
  if (format === 'chat') return readChat(events)
  if (format === 'messages') return readMessages(events)
  if (format === 'responses') return readResponses(events)
  const parts = events
    .flatMap(({ candidates }) => list(candidates))
    .flatMap(({ content }) => list(object(content).parts))
  return {
    text: parts
      .filter(({ thought }) => thought !== true)
      .map(({ text }) => text ?? '')
      .join(''),
    calls: parts
      .filter(({ functionCall }) => functionCall !== undefined)
      .map(({ functionCall }) => ({
        name: String(object(functionCall).name),
        arguments: object(functionCall).args ?? {},
      })),
  }
}

function readChat(events: readonly Json[]): ReadAnswer {
  let text = ''
  const calls: { name: string; text: string }[] = []
  for (const choice of events.flatMap(({ choices }) => list(choices))) {
    const said = object(choice.delta ?? choice.message)
    text += said.content ?? ''
    for (const [at, call] of list(said.tool_calls).entries()) {
      const index = Number(call.index ?? at)
      const { name, arguments: piece } = object(call.function)
      const known = calls[index] ?? { name: String(name), text: '' }
      known.text += String(piece ?? '')
      calls[index] = known
    }
  }
  return { text, calls: calls.map((call) => ({ name: call.name, arguments: parse(call.text) })) }
}

function readMessages(events: readonly Json[]): ReadAnswer {
  const blocks: Json[] = []
  for (const event of events) {
    if (event.type === 'message') blocks.push(...list(event.content))
    if (event.type === 'content_block_start') {
      blocks.push({
        ...object(event.content_block),
        ...(object(event.content_block).type === 'tool_use' ? { json: '' } : {}),
      })
    }
    const block = blocks[Number(event.index)]
    const { text, partial_json: json } = object(event.delta)
    if (block && text !== undefined) block.text = `${block.text}${text}`
    if (block && json !== undefined) block.json = `${block.json}${json}`
  }
  return {
    text: blocks
      .filter(({ type }) => type === 'text')
      .map(({ text }) => text)
      .join(''),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map((block) => ({
        name: String(block.name),
        arguments: block.json === undefined ? block.input : parse(block.json),
      })),
  }
}

function readResponses(events: readonly Json[]): ReadAnswer {
  const last = events.at(-1)
  const output = list((last?.object === 'response' ? last : object(last?.response)).output)
  return {
    text: output
      .filter(({ type }) => type === 'message')
      .flatMap(({ content }) => list(content))
      .map(({ text }) => text ?? '')
      .join(''),
    calls: output
      .filter(({ type }) => type === 'function_call')
      .map((item) => ({ name: String(item.name), arguments: parse(item.arguments) })),
  }
}
