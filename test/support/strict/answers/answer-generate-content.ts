import { pieces } from '../loops/loop-script.ts'
import { isGemini3 } from '../requests/gemini-models.ts'
import type { Json } from '../requests/refusal.ts'
import { type AnswerPlan, dataLine, type PlannedAnswer, RAW } from './answer.ts'
import { callKey } from './issued-state.ts'

/** The answer of `:generateContent`: ids of calls and signatures from Gemini 3 on. */
export function answerGenerateContent({
  turn,
  body,
  model,
  issued,
  nonce,
}: AnswerPlan): PlannedAnswer {
  const { usage } = turn
  const config = (body.generationConfig as Json | undefined)?.thinkingConfig as Json | undefined
  const isNew = isGemini3(model)
  const calls = turn.calls.map((call, index) => ({ ...call, id: `fc${index}${nonce}` }))
  const thoughts = config?.includeThoughts === true ? turn.thinking : ''
  const sign = (said: string, keys: string[]): Json => {
    if (!isNew) return {}
    return { thoughtSignature: issued.issue({ text: thoughts, calls: keys, said, id: nonce }).data }
  }
  const callParts = calls.map((call, index): Json => {
    const key = isNew ? call.id : callKey(call.name, JSON.parse(call.arguments || '{}'))
    const args = call.arguments === '' ? {} : { args: RAW + call.arguments }
    const id = isNew ? { id: call.id } : {}
    return {
      functionCall: { name: call.name, ...args, ...id },
      // Only the first of parallel calls is signed.
      ...(index === 0 ? sign(turn.text, [key]) : {}),
    }
  })
  const metadata = {
    promptTokenCount: usage.input,
    cachedContentTokenCount: usage.cachedInput,
    candidatesTokenCount: usage.output - usage.reasoning,
    thoughtsTokenCount: usage.reasoning,
    totalTokenCount: usage.input + usage.output,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: usage.input }],
  }
  const head = { modelVersion: model, responseId: `r${nonce}` }
  const answer = (parts: Json[], isLast: boolean): Json => ({
    candidates: [
      {
        content: { role: 'model', parts },
        ...(isLast ? { finishReason: 'STOP' } : {}),
        index: 0,
      },
    ],
    usageMetadata: isLast
      ? metadata
      : { promptTokenCount: usage.input, totalTokenCount: usage.input },
    ...head,
  })
  const closing: Json[] = calls.length === 0 && isNew ? [{ text: '', ...sign(turn.text, []) }] : []
  return {
    whole: answer(
      [
        ...(thoughts === '' ? [] : [{ text: thoughts, thought: true }]),
        ...(turn.text === ''
          ? []
          : [{ text: turn.text, ...(calls.length === 0 ? sign(turn.text, []) : {}) }]),
        ...callParts,
      ],
      true,
    ),
    chunks: [
      ...pieces(thoughts, 20).map((text) => dataLine(answer([{ text, thought: true }], false))),
      ...pieces(turn.text).map((text) => dataLine(answer([{ text }], false))),
      ...callParts.map((part) => dataLine(answer([part], false))),
      dataLine(answer(closing.length > 0 ? closing : [{ text: '' }], true)),
    ].map((line) => line.replace(/\n\n$/, '\r\n\r\n')),
  }
}
