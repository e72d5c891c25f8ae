import { expect, test } from 'vitest'
import { estimateTokens } from '../../../../main/base/estimate-tokens.ts'
import { estimateOutput } from '../../../../main/convert/estimate/estimate-output.ts'
import type { ExchangeRequest } from '../../../../main/convert/exchange.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { answerTools } from '../../../../main/convert/tools/fit-tools.ts'
import { AnswerTranslation } from '../../../../main/relay/translate/answer-translation.ts'

const asked: ExchangeRequest = {
  origin: 'messages',
  model: 'm',
  stream: false,
  turns: [],
  tools: [],
}

class Translation extends AnswerTranslation {
  remember(): void {
    // Nothing goes on from this answer.
  }
}

const translation = new Translation(
  { id: 'call', format: 'messages', model: 'm', stream: false, asArray: false },
  { format: 'chat', model: 'm' },
  {
    asked,
    sent: {},
    callIds: [],
    estimatedInput: 7,
    loss: new Loss({}),
    tools: answerTools(null),
  },
)

test('an answer without usage is counted alike converted and passed through', () => {
  const answer = {
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: 'Let me look that up.',
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'search_the_documentation_index', arguments: '{"query":"drift"}' },
            },
          ],
        },
      },
    ],
  }
  const response = translation.decodeWhole(Buffer.from(JSON.stringify(answer)))
  const parts = response.choices.flatMap((choice) => choice.parts)
  const usage = translation.estimateUsage(response)
  expect(usage).toMatchObject({ input: 7, output: estimateOutput(parts) })
  expect(usage.output).toBeGreaterThan(
    estimateTokens('Let me look that up.') + estimateTokens('{"query":"drift"}'),
  )
  const told = JSON.parse(translation.encode(response).toString('utf8'))
  expect(told.usage).toMatchObject({ input_tokens: 7, output_tokens: usage.output })
})
