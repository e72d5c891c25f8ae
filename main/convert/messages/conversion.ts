import type { Conversion } from '../conversion.ts'
import { decodeResponse } from './answer/decode-response.ts'
import { encodeResponse } from './answer/encode-response.ts'
import { messagesCount } from './request/count.ts'
import { decodeRequest } from './request/decode-request.ts'
import { encodeRequest } from './request/encode-request.ts'
import { refuseForeign } from './request/refuse-foreign.ts'
import { createDecoder } from './stream/decode-stream.ts'
import { createEncoder } from './stream/encode-stream.ts'

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
