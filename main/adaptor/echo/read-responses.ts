import { inputTokens } from './input-tokens.ts'
import { asArray, asLimit, asObject, asText, type Json } from './json-access.ts'
import type { EchoTurn } from './reply/echo-turn.ts'
import { resultText, spokenText } from './reply/part-text.ts'

function readToolChoice(choice: unknown): EchoTurn['toolChoice'] {
  if (choice === 'none' || choice === 'required') return choice
  const { type, name } = asObject(choice)
  return type === 'function' ? { name: asText(name) } : 'auto'
}

function readJson(format: Json): Json | null {
  if (format.type === 'json_object') return {}
  return format.type === 'json_schema' ? asObject(format.schema) : null
}

const isToolOutput = (item: Json | undefined): boolean =>
  item?.type === 'function_call_output' || item?.type === 'custom_tool_call_output'

/** Reads a Responses request; the name of the field that is at fault when it cannot be read. */
export function readResponses(body: Json): EchoTurn | string {
  const { input } = body
  const isList = Array.isArray(input) && input.length > 0
  if (typeof input !== 'string' && !isList) return 'input'
  const items = typeof input === 'string' ? [] : asArray(input).map(asObject)
  const last = items.at(-1)
  const { effort } = asObject(body.reasoning)
  const lastMessage =
    typeof input === 'string' ? input : items.findLast(({ role }) => role === 'user')?.content
  return {
    text: spokenText(lastMessage),
    toolResult: isToolOutput(last) ? resultText(last?.output) : null,
    tools: asArray(body.tools)
      .map(asObject)
      .filter(({ type }) => type === 'function')
      .map((tool) => ({ name: asText(tool.name), schema: asObject(tool.parameters) })),
    toolChoice: readToolChoice(body.tool_choice),
    maxTokens: asLimit(body.max_output_tokens),
    stop: [],
    thinking: typeof effort === 'string' && effort !== 'none',
    json: readJson(asObject(asObject(body.text).format)),
    inputTokens: inputTokens([body.instructions, input, body.tools]),
  }
}
