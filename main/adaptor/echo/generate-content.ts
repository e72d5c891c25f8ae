import { randomText } from '../../base/ids.ts'
import { googleRefusal } from './echo-endpoint.ts'
import type { EchoFormat, EchoRequest } from './echo-format.ts'
import { googleField, googleList, googleObject } from './google-field.ts'
import { inputTokens } from './input-tokens.ts'
import { asLimit, asObject, asText, asTexts, type Json } from './json-access.ts'
import { type GoogleMedia, googleMedia } from './media/google-media.ts'
import type { EchoReply } from './reply/echo-reply.ts'
import type { EchoTurn } from './reply/echo-turn.ts'
import { resultText, spokenText } from './reply/part-text.ts'
import { pieces } from './reply/pieces.ts'

const finishReasons = {
  stop: 'STOP',
  'stop-sequence': 'STOP',
  length: 'MAX_TOKENS',
  // Google ends a function call like any other answer.
  tool: 'STOP',
} as const

function readToolChoice(body: Json): EchoTurn['toolChoice'] {
  const config = googleObject(googleObject(body, 'toolConfig'), 'functionCallingConfig')
  if (config.mode === 'NONE') return 'none'
  if (config.mode !== 'ANY') return 'auto'
  const allowed = asTexts(googleField(config, 'allowedFunctionNames') ?? [])
  return allowed.length === 1 ? { name: allowed[0] ?? '' } : 'required'
}

function readJson(config: Json): Json | null {
  if (googleField(config, 'responseMimeType') !== 'application/json') return null
  const schema = googleField(config, 'responseJsonSchema') ?? googleField(config, 'responseSchema')
  return asObject(schema)
}

function resultIn(content: Json | undefined): string | null {
  const results = googleList(content?.parts)
    .map((part) => googleObject(asObject(part), 'functionResponse'))
    .filter((result) => asText(result.name) !== '')
  if (results.length === 0) return null
  return results.map(({ response }) => resultText(response)).join(' ')
}

function read(request: Json): EchoTurn | string {
  // `:countTokens` may wrap what it counts.
  const wrapped = googleObject(request, 'generateContentRequest')
  const body = googleList(wrapped.contents).length > 0 ? wrapped : request
  const contents = googleList(body.contents).map(asObject)
  if (contents.length === 0) return 'contents'
  const config = googleObject(body, 'generationConfig')
  const declarations = googleList(body.tools).flatMap((tool) =>
    googleList(googleField(asObject(tool), 'functionDeclarations')).map(asObject),
  )
  const last = contents.findLast(
    (content) => content.role !== 'model' && resultIn(content) === null,
  )
  return {
    text: spokenText(googleList(last?.parts)),
    toolResult: resultIn(contents.at(-1)),
    tools: declarations.map((tool) => ({
      name: asText(tool.name),
      schema: asObject(googleField(tool, 'parametersJsonSchema') ?? tool.parameters),
    })),
    toolChoice: readToolChoice(body),
    maxTokens: asLimit(googleField(config, 'maxOutputTokens')),
    stop: asTexts(googleField(config, 'stopSequences') ?? []),
    thinking: googleField(googleObject(config, 'thinkingConfig'), 'includeThoughts') === true,
    json: readJson(config),
    inputTokens: inputTokens([googleField(body, 'systemInstruction'), body.contents, body.tools]),
  }
}

function usageOf({ usage, toolCall }: EchoReply, media: GoogleMedia | null): Json {
  const text = media?.replacesText ? 0 : usage.output - usage.reasoning
  const candidates = text + (media?.tokens ?? 0)
  const details = [
    ...(text > 0 || toolCall ? [{ modality: 'TEXT', tokenCount: text }] : []),
    ...(media ? [{ modality: media.modality, tokenCount: media.tokens }] : []),
  ]
  return {
    promptTokenCount: usage.input,
    candidatesTokenCount: candidates,
    ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
    totalTokenCount: usage.input + candidates + usage.reasoning,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: usage.input }],
    ...(media ? { candidatesTokensDetails: details } : {}),
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

/** Made for an answer that has no call in it. */
const mediaOf = (reply: EchoReply, { body }: EchoRequest): GoogleMedia | null =>
  reply.toolCall ? null : googleMedia(body, reply)

function write(reply: EchoReply, request: EchoRequest): Json {
  const media = mediaOf(reply, request)
  const parts: Json[] = []
  if (reply.thinking !== '') parts.push({ text: reply.thinking, thought: true })
  if (reply.text !== '' && !media?.replacesText) parts.push({ text: reply.text })
  parts.push(...callPart(reply), ...(media ? [media.part] : []))
  return {
    candidates: [candidate(parts, finishReasons[reply.finish])],
    usageMetadata: usageOf(reply, media),
    modelVersion: request.model,
    responseId: randomText(22),
  }
}

function* responses(reply: EchoReply, request: EchoRequest): Iterable<Json> {
  const base = { modelVersion: request.model, responseId: randomText(22) }
  const early = { usageMetadata: earlyUsage(reply), ...base }
  const media = mediaOf(reply, request)
  for (const text of pieces(reply.thinking)) {
    yield { candidates: [candidate([{ text, thought: true }])], ...early }
  }
  for (const text of media?.replacesText ? [] : pieces(reply.text)) {
    yield { candidates: [candidate([{ text }])], ...early }
  }
  if (media) yield { candidates: [candidate([media.part])], ...early }
  const parts = reply.toolCall ? callPart(reply) : [{ text: '' }]
  const last = candidate(parts, finishReasons[reply.finish])
  yield { candidates: [last], usageMetadata: usageOf(reply, media), ...base }
}

function* stream(reply: EchoReply, request: EchoRequest): Iterable<string> {
  if (request.altSse) {
    for (const response of responses(reply, request))
      yield `data: ${JSON.stringify(response)}\r\n\r\n`
    return
  }
  let separator = '['
  for (const response of responses(reply, request)) {
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
  refuse: googleRefusal,
  idHeader: 'x-request-id',
}
