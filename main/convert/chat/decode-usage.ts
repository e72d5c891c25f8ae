import type { Usage, UsageDetail } from '../exchange.ts'
import { asCount, asObject } from '../json-value.ts'
import { readChatUsage } from './usage.ts'

/**
 * Usage of an answer or chunk, with its share of sound and pictures. Some vendors leave the reasoning out
 * of `completion_tokens`, which shows in a total larger than both: then the rest of the total is the
 * output (wire-formats 8.7).
 */
export function decodeChatUsage(answer: unknown): Usage | null {
  const usage = readChatUsage(answer)
  if (!usage) return null
  const body = asObject(answer)
  const raw = asObject(body?.usage) ?? asObject(asObject(body?.x_groq)?.usage)
  const prompt = asObject(raw?.prompt_tokens_details)
  const completion = asObject(raw?.completion_tokens_details)
  const total = asCount(raw?.total_tokens) ?? 0
  const output =
    usage.reasoning > 0 && total > usage.input + usage.output ? total - usage.input : usage.output
  const detail: UsageDetail = {}
  const inputAudio = asCount(prompt?.audio_tokens)
  if (inputAudio) detail.inputAudio = inputAudio
  const inputImage = asCount(prompt?.image_tokens)
  if (inputImage) detail.inputImage = inputImage
  const outputAudio = asCount(completion?.audio_tokens)
  if (outputAudio) detail.outputAudio = outputAudio
  const outputImage = asCount(completion?.image_tokens)
  if (outputImage) detail.outputImage = outputImage
  return { ...usage, output, ...(Object.keys(detail).length > 0 ? { detail } : {}) }
}
