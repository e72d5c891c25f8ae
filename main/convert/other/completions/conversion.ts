import type { ClientConversion } from '../../conversion.ts'
import { answerId } from './answer.ts'
import { decodeCompletionsRequest } from './decode-request.ts'
import { encodeCompletionsResponse } from './encode-response.ts'
import { createCompletionsEncoder } from './encode-stream.ts'

/** OpenAI's legacy completions, as a client speaks it: no call is ever converted to it. */
export const completionsConversion: ClientConversion = {
  format: 'completions',
  fieldNames: {
    model: 'model',
    stream: 'stream',
    turns: 'prompt',
    output: 'response_format',
    maxOutput: 'max_tokens',
    temperature: 'temperature',
    topP: 'top_p',
    topK: 'top_k',
    stop: 'stop',
    count: 'n',
    seed: 'seed',
    presencePenalty: 'presence_penalty',
    frequencyPenalty: 'frequency_penalty',
    logitBias: 'logit_bias',
    reasoning: 'reasoning_effort',
    serviceTier: 'service_tier',
    user: 'user',
    cacheKey: 'prompt_cache_key',
    wantsStreamUsage: 'stream_options.include_usage',
  },
  decodeRequest: decodeCompletionsRequest,
  encodeResponse: encodeCompletionsResponse,
  answerId,
  createEncoder: createCompletionsEncoder,
}
