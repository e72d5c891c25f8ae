import { encodeChatUsage } from '../../chat/answer/encode-usage.ts'
import type { AnswerTarget } from '../../conversion.ts'
import type { Choice, ExchangeResponse } from '../../exchange.ts'
import { choiceOf, envelope } from './answer.ts'
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
export const encodeCompletionsResponse = (
  response: ExchangeResponse,
  target: AnswerTarget,
): Record<string, unknown> => ({
  ...envelope(target, response.native),
  choices: response.choices.map((choice, index) => choiceOf(index, textOf(choice), choice.stop)),
  ...(response.usage ? { usage: encodeChatUsage(response.usage) } : {}),
})
