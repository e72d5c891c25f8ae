import { chatConversion } from '../../chat/conversion.ts'
import type { ClientConversion } from '../../conversion.ts'
import { answerId } from './answer.ts'
import { decodeCompletionsRequest } from './decode-request.ts'
import { encodeCompletionsResponse } from './encode-response.ts'
import { createCompletionsEncoder } from './encode-stream.ts'

/** OpenAI's legacy completions, as a client speaks it: no call is ever converted to it. */
export const completionsConversion: ClientConversion = {
  format: 'completions',
  // Differences from Chat's.
  fieldNames: {
    ...chatConversion.fieldNames,
    turns: 'prompt',
    maxOutput: 'max_tokens',
    user: 'user',
  },
  decodeRequest: decodeCompletionsRequest,
  encodeResponse: encodeCompletionsResponse,
  answerPlaces: {
    choices: true,
    hosted: () => false,
    media: () => null,
    citation: () => false,
    emptyTexts: false,
    logprobs: false,
    reasoning: false,
    stopSequence: false,
  },
  addressField: chatConversion.addressField,
  answerId,
  createEncoder: createCompletionsEncoder,
}
