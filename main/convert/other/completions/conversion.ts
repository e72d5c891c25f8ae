import { encodeChatUsage } from '../../chat/answer/encode-usage.ts'
import { chatConversion } from '../../chat/conversion.ts'
import type { AnswerTarget, ClientConversion } from '../../conversion.ts'
import type { Choice, ExchangeResponse } from '../../exchange-response.ts'
import { answerId, choiceOf, envelope } from './answer.ts'
import { decodeCompletionsRequest } from './decode-request.ts'
import { createCompletionsEncoder } from './encode-stream.ts'
import { JoinedTexts } from './joined-texts.ts'

function textOf({ parts }: Choice): string {
  const joined = new JoinedTexts()
  let text = ''
  for (const part of parts) {
    if (part.type !== 'text' && part.type !== 'refusal') {
      joined.part()
      continue
    }
    joined.begin(part.native)
    text += joined.add(part.text)
  }
  return text
}

/**
 * A whole answer: https://platform.openai.com/docs/api-reference/completions/object. Thoughts are left out, as
 * this format has no place for them and clients go on from the text; their tokens stand in the usage.
 */
const encodeCompletionsResponse = (
  response: ExchangeResponse,
  target: AnswerTarget,
): Record<string, unknown> => ({
  ...envelope(target, response.native),
  choices: response.choices.map((choice, index) => choiceOf(index, textOf(choice), choice.stop)),
  ...(response.usage ? { usage: encodeChatUsage(response.usage) } : {}),
})

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
