import { randomText } from '../../base/ids.ts'
import type { EchoFormat, EchoRequest } from './echo-format.ts'
import type { EchoReply } from './echo-reply.ts'
import type { EchoTurn } from './echo-turn.ts'
import { inputTokens } from './input-tokens.ts'
import { asArray, asLimit, asObject, asText, asTexts, type Json } from './json-access.ts'
import { resultText, spokenText } from './part-text.ts'
import { pieces } from './pieces.ts'

const finishReasons = {
  stop: 'STOP',
  'stop-sequence': 'STOP',
  length: 'MAX_TOKENS',
  // Google ends a function call like any other answer.
  tool: 'STOP',
} as const

/** REST takes a field in camel case and in snake case. */
function field(object: Json, name: string): unknown {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return object[name] ?? object[snake]
}

const objectField = (object: Json, name: string): Json => asObject(field(object, name))

function readToolChoice(body: Json): EchoTurn['toolChoice'] {
  const config = objectField(objectField(body, 'toolConfig'), 'functionCallingConfig')
  if (config.mode === 'NONE') return 'none'
  if (config.mode !== 'ANY') return 'auto'
  const allowed = asTexts(field(config, 'allowedFunctionNames') ?? [])
  return allowed.length === 1 ? { name: allowed[0] ?? '' } : 'required'
}

function readJson(config: Json): Json | null {
  if (field(config, 'responseMimeType') !== 'application/json') return null
  const schema = field(config, 'responseJsonSchema') ?? field(config, 'responseSchema')
  return asObject(schema)
}

function resultIn(content: Json | undefined): string | null {
  const results = asArray(content?.parts)
    .map((part) => objectField(asObject(part), 'functionResponse'))
    .filter((result) => asText(result.name) !== '')
  if (results.length === 0) return null
  return results.map(({ response }) => resultText(response)).join(' ')
}

function read(request: Json): EchoTurn | string {
  // `:countTokens` may wrap what it counts.
  const wrapped = objectField(request, 'generateContentRequest')
  const body = Array.isArray(wrapped.contents) ? wrapped : request
  if (!Array.isArray(body.contents) || body.contents.length === 0) return 'contents'
  const contents = body.contents.map(asObject)
  const config = objectField(body, 'generationConfig')
  const declarations = asArray(body.tools).flatMap((tool) =>
    asArray(field(asObject(tool), 'functionDeclarations')).map(asObject),
  )
  const last = contents.findLast(
    (content) => content.role !== 'model' && resultIn(content) === null,
  )
  return {
    text: spokenText(last?.parts),
    toolResult: resultIn(contents.at(-1)),
    tools: declarations.map((tool) => ({
      name: asText(tool.name),
      schema: asObject(field(tool, 'parametersJsonSchema') ?? tool.parameters),
    })),
    toolChoice: readToolChoice(body),
    maxTokens: asLimit(field(config, 'maxOutputTokens')),
    stop: asTexts(field(config, 'stopSequences') ?? []),
    thinking: field(objectField(config, 'thinkingConfig'), 'includeThoughts') === true,
    json: readJson(config),
    inputTokens: inputTokens([field(body, 'systemInstruction'), body.contents, body.tools]),
  }
}

function usageOf({ usage }: EchoReply): Json {
  const candidates = usage.output - usage.reasoning
  return {
    promptTokenCount: usage.input,
    candidatesTokenCount: candidates,
    ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
    totalTokenCount: usage.input + usage.output,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: usage.input }],
  }
}

/** Early chunks do not know the output yet. */
const earlyUsage = ({ usage }: EchoReply): Json => ({
  promptTokenCount: usage.input,
  totalTokenCount: usage.input,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: usage.input }],
})

function callPart(reply: EchoReply): Json[] {
  if (!reply.toolCall) return []
  const { id, name, arguments: args } = reply.toolCall
  return [{ functionCall: { id, name, args } }]
}

function candidate(parts: Json[], finishReason?: string): Json {
  const content = { role: 'model', parts }
  return { content, ...(finishReason ? { finishReason } : {}), index: 0 }
}

function write(reply: EchoReply, { model }: EchoRequest): Json {
  const parts: Json[] = []
  if (reply.thinking !== '') parts.push({ text: reply.thinking, thought: true })
  if (reply.text !== '') parts.push({ text: reply.text })
  parts.push(...callPart(reply))
  return {
    candidates: [candidate(parts, finishReasons[reply.finish])],
    usageMetadata: usageOf(reply),
    modelVersion: model,
    responseId: randomText(22),
  }
}

function* responses(reply: EchoReply, model: string): Iterable<Json> {
  const base = { modelVersion: model, responseId: randomText(22) }
  const early = { usageMetadata: earlyUsage(reply), ...base }
  for (const text of pieces(reply.thinking)) {
    yield { candidates: [candidate([{ text, thought: true }])], ...early }
  }
  for (const text of pieces(reply.text)) yield { candidates: [candidate([{ text }])], ...early }
  const parts = reply.toolCall ? callPart(reply) : [{ text: '' }]
  const last = candidate(parts, finishReasons[reply.finish])
  yield { candidates: [last], usageMetadata: usageOf(reply), ...base }
}

function* stream(reply: EchoReply, { model, altSse }: EchoRequest): Iterable<string> {
  if (altSse) {
    for (const response of responses(reply, model))
      yield `data: ${JSON.stringify(response)}\r\n\r\n`
    return
  }
  let separator = '['
  for (const response of responses(reply, model)) {
    yield separator + JSON.stringify(response)
    separator = '\n,\r\n'
  }
  yield '\n]\n'
}

/** Echo in Google's generateContent: https://ai.google.dev/api/generate-content */
export const generateContent: EchoFormat = {
  read,
  write,
  stream,
  count: (tokens) => ({
    totalTokens: tokens,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }],
  }),
  refuse: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  idHeader: 'x-request-id',
}
