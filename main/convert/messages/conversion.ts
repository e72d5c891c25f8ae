import type { Conversion, CountConversion } from '../conversion.ts'
import type { ExchangeRequest } from '../exchange.ts'
import { asArray, asCount, asObject } from '../json/json-value.ts'
import type { Loss } from '../loss.ts'
import { decodeResponse } from './answer/decode-response.ts'
import { encodeResponse } from './answer/encode-response.ts'
import { keptFields } from './own-fields.ts'
import { decodeRequest } from './request/decode-request.ts'
import { encodeRequest } from './request/encode-request.ts'
import { createDecoder } from './stream/decode-stream.ts'
import { createEncoder } from './stream/encode-stream.ts'

/**
 * Refuses what holds a part of the conversation, or of the work, that only Anthropic can read: compacted turns,
 * threads, containers and MCP servers. What merely helps (context editing, fallbacks) is dropped elsewhere.
 */
function refuseForeign({ native, turns }: ExchangeRequest, loss: Loss): void {
  const fields = keptFields(native)
  if (asArray(fields.mcp_servers).length > 0) {
    loss.refuse('mcp_servers', 'no_such_thing')
  }
  for (const name of ['container', 'thread']) {
    if (fields[name] !== undefined) loss.refuse(name, 'no_such_thing')
  }
  for (const { parts, at } of turns) {
    for (const part of parts) {
      if (part.type !== 'native' || asObject(part.value)?.type !== 'compaction') continue
      loss.refuse(part.at ?? at ?? 'messages', 'only_anthropic_reads')
    }
  }
}

/** Fields of the counting call (https://docs.anthropic.com/en/api/messages-count-tokens). */
const counted = [
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'cache_control',
  'speed',
  'context_management',
  'mcp_servers',
]

/** POST /v1/messages/count_tokens: the same body without what only an answer needs. */
const messagesCount: CountConversion = {
  unwrapRequest: (body) => body,
  wrapRequest(body, model) {
    const kept = counted.flatMap((name) => (name in body ? [[name, body[name]] as const] : []))
    return { model, ...Object.fromEntries(kept) }
  },
  decodeResponse: (body) => asCount(asObject(body)?.input_tokens) ?? null,
  encodeResponse: (tokens) => ({ input_tokens: tokens }),
}

/** Anthropic Messages (https://docs.anthropic.com/en/api/messages) to and from the neutral exchange. */
export const messagesConversion: Conversion = {
  format: 'messages',
  fieldNames: {
    turns: 'messages',
    toolChoice: 'tool_choice',
    parallelCalls: 'tool_choice.disable_parallel_tool_use',
    reasoning: 'thinking',
    output: 'output_config.format',
    maxOutput: 'max_tokens',
    topP: 'top_p',
    topK: 'top_k',
    stop: 'stop_sequences',
    serviceTier: 'service_tier',
    user: 'metadata.user_id',
    cacheKey: 'metadata.user_id',
  },
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  count: messagesCount,
  refuseForeign,
  answerPlaces: {
    choices: false,
    hosted: () => false,
    media: () => 'words',
    citation: ({ type }) => type === 'url',
    emptyTexts: false,
    logprobs: false,
    reasoning: true,
    stopSequence: true,
  },
  heldMedia: ['image', 'document'],
  // https://docs.anthropic.com/en/docs/build-with-claude/vision
  takesAddress: (_, url) => /^https:/i.test(url),
  addressField: () => 'source.url',
  toolNames: { fits: /^[a-zA-Z0-9_-]+$/, length: 128 },
  createDecoder,
  createEncoder,
}
