import { conversionOf } from '../../../main/convert/codecs.ts'
import type {
  ExchangeRequest,
  Part,
  ToolCallPart,
  ToolDefinition,
  WireFormat,
} from '../../../main/convert/exchange.ts'
import type { ExchangeResponse } from '../../../main/convert/exchange-response.ts'
import { Loss } from '../../../main/convert/loss.ts'
import { type ModelRules, modelRules } from '../../../main/convert/model/model-rules.ts'
import type { StreamPart } from '../../../main/convert/stream/stream-part.ts'
import { type FittedTools, fitTools } from '../../../main/convert/tools/fit-tools.ts'

const models = {
  chat: 'mistral-large',
  messages: 'claude-opus-5',
  'generate-content': 'gemini-3-pro',
  responses: 'gpt-5',
}

export function fitTo(
  request: Partial<ExchangeRequest>,
  format: WireFormat,
  rules: Partial<ModelRules> = {},
) {
  const loss = new Loss()
  const own = { namespaces: false, freeformTools: false, maxToolName: 64, toolId: 'any64' as const }
  const fitted = fitTools(
    { origin: 'responses', model: 'm', stream: true, turns: [], tools: [], ...request },
    conversionOf(format),
    modelRules(format, models[format], { ...own, ...rules }),
    loss,
  )
  return { ...fitted, loss, names: fitted.request.tools.map(({ name }) => name) }
}

export const fn = (name: string, namespace?: string): ToolDefinition => ({
  type: 'function',
  name,
  schema: null,
  ...(namespace === undefined ? {} : { namespace }),
})
export const call = (name: string, more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'call',
  id: 'call_1',
  name,
  kind: 'function',
  arguments: '{}',
  ...more,
})
export const result = (callId: string | null, name: string | null = null): Part => ({
  type: 'result',
  callId,
  name,
  kind: 'function',
  isError: false,
  parts: [{ type: 'text', text: 'ok' }],
})
export const answer = (...parts: Part[]): ExchangeResponse => ({
  id: 'r1',
  model: 'm',
  created: null,
  choices: [{ parts, stop: { reason: 'tool-calls' } }],
  usage: null,
})
export const restored = ({ tools }: FittedTools, ...parts: Part[]) =>
  tools.restoreResponse(answer(...parts)).choices[0]?.parts

export function streamed({ tools }: FittedTools, parts: readonly StreamPart[]): StreamPart[] {
  const restore = tools.restoreStream()
  return parts.flatMap((part) => restore(part))
}
export const start = (block: number, name: string): StreamPart => ({
  type: 'call-start',
  block,
  choice: 0,
  id: `call_${block}`,
  name,
  kind: 'function',
})
export const delta = (block: number, text: string): StreamPart => ({
  type: 'call-delta',
  block,
  text,
})
export const end = (block: number): StreamPart => ({ type: 'call-end', block })

export const patchTool: ToolDefinition = {
  type: 'freeform',
  name: 'apply_patch',
  description: 'Edits files.',
  grammar: { syntax: 'lark', definition: 'start: "*** Begin Patch"' },
  at: 'tools[0]',
}
