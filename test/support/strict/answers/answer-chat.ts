import { pieces } from '../loops/loop-script.ts'
import { openAiModel } from '../requests/openai-models.ts'
import type { Json } from '../requests/refusal.ts'
import { type AnswerPlan, argumentsOf, dataLine, type PlannedAnswer } from './answer.ts'

/** The answer of POST /chat/completions. */
export function answerChat({ turn, body, model, issued, nonce }: AnswerPlan): PlannedAnswer {
  const { usage } = turn
  const thinks = openAiModel(model).wantsReasoning
  const calls = turn.calls.map((call, index) => ({ ...call, id: `call_${index}_${nonce}` }))
  const thinking = thinks ? turn.thinking : ''
  if (thinks) {
    const ids = calls.map(({ id }) => id)
    issued.issue({ text: thinking, calls: ids, said: turn.text, id: nonce })
  }
  const finish = calls.length > 0 ? 'tool_calls' : 'stop'
  const usageSent = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cachedInput,
      cache_write_tokens: usage.cacheWrite,
      audio_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
  const head = { id: `chatcmpl-${nonce}`, created: 1_790_000_000, model }
  const wantsUsage = (body.stream_options as Json | undefined)?.include_usage === true
  const chunk = (delta: Json, finishReason: string | null = null) =>
    dataLine({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...(wantsUsage ? { usage: null } : {}),
    })
  return {
    whole: {
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: turn.text === '' ? null : turn.text,
            refusal: null,
            ...(thinking === '' ? {} : { reasoning_content: thinking }),
            ...(calls.length === 0
              ? {}
              : {
                  tool_calls: calls.map((call) => ({
                    id: call.id,
                    type: 'function',
                    function: { name: call.name, arguments: argumentsOf(call.arguments) },
                  })),
                }),
          },
          logprobs: null,
          finish_reason: finish,
        },
      ],
      usage: usageSent,
      service_tier: 'default',
    },
    chunks: [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(thinking).map((text) => chunk({ reasoning_content: text })),
      ...pieces(turn.text).map((content) => chunk({ content })),
      ...calls.flatMap((call, index) => [
        chunk({
          tool_calls: [
            { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } },
          ],
        }),
        ...pieces(argumentsOf(call.arguments), 11).map((text) =>
          chunk({ tool_calls: [{ index, function: { arguments: text } }] }),
        ),
      ]),
      chunk({}, finish),
      ...(wantsUsage
        ? [dataLine({ ...head, object: 'chat.completion.chunk', choices: [], usage: usageSent })]
        : []),
      'data: [DONE]\n\n',
    ],
  }
}
