import type { Conversion } from '../conversion.ts'
import { answerId } from './answer/answer-envelope.ts'
import { decodeChatResponse } from './answer/decode-response.ts'
import { encodeImage } from './answer/encode-media.ts'
import { encodeChatResponse } from './answer/encode-response.ts'
import { decodeChatRequest } from './request/decode-request.ts'
import { encodeChatRequest } from './request/encode-request.ts'
import { createChatDecoder } from './stream/decode-stream.ts'
import { createChatEncoder } from './stream/encode-stream.ts'

/** OpenAI Chat Completions, with what compatible vendors make of it. */
export const chatConversion: Conversion = {
  format: 'chat',
  fieldNames: {
    model: 'model',
    stream: 'stream',
    turns: 'messages',
    tools: 'tools',
    toolChoice: 'tool_choice',
    parallelCalls: 'parallel_tool_calls',
    reasoning: 'reasoning_effort',
    output: 'response_format',
    maxOutput: 'max_completion_tokens',
    temperature: 'temperature',
    topP: 'top_p',
    topK: 'top_k',
    stop: 'stop',
    count: 'n',
    seed: 'seed',
    presencePenalty: 'presence_penalty',
    frequencyPenalty: 'frequency_penalty',
    logitBias: 'logit_bias',
    logprobs: 'logprobs',
    verbosity: 'verbosity',
    serviceTier: 'service_tier',
    modalities: 'modalities',
    user: 'safety_identifier',
    metadata: 'metadata',
    cacheKey: 'prompt_cache_key',
    store: 'store',
    wantsStreamUsage: 'stream_options.include_usage',
  },
  decodeRequest: decodeChatRequest,
  encodeRequest: encodeChatRequest,
  decodeResponse: decodeChatResponse,
  encodeResponse: encodeChatResponse,
  answerPlaces: {
    choices: true,
    hosted: () => false,
    media: (part) => {
      const hasPlace =
        part.kind === 'image'
          ? encodeImage(part, 0)
          : part.kind === 'audio' && part.source.type === 'base64'
      return hasPlace ? 'whole' : null
    },
    citation: ({ type }) => type === 'url',
    emptyTexts: true,
    logprobs: true,
    reasoning: true,
    stopSequence: false,
  },
  answerId,
  heldMedia: ['image', 'document', 'audio'],
  takesAddress: (kind) => kind === 'image',
  addressField: ({ kind }) =>
    kind === 'document' ? 'file.file_data' : `${kind === 'video' ? 'video' : 'image'}_url.url`,
  toolNames: { fits: /^[a-zA-Z0-9_-]+$/, length: 64 },
  createDecoder: createChatDecoder,
  createEncoder: createChatEncoder,
}
