import type { Usage } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { readGenerateContentUsage } from './usage.ts'

/** Neutral usage of a `usageMetadata`; null where it counts nothing yet, as in a stream's first chunks. */
export const decodeUsage = (metadata: unknown, modelVersion?: string): Usage | null =>
  readGenerateContentUsage({ usageMetadata: metadata, modelVersion })

function modalities(total: number, audio = 0, image = 0): JsonObject[] {
  const counts = { TEXT: total - audio - image, IMAGE: image, AUDIO: audio }
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([modality, tokenCount]) => ({ modality, tokenCount }))
}

/**
 * `usageMetadata`: thoughts are no part of `candidatesTokenCount`, what tools brought in no part of
 * `promptTokenCount`. Zeros are left out, as Google leaves them out.
 */
export function encodeUsage(usage: Usage): JsonObject {
  const { input, cachedInput, output, reasoning, detail = {} } = usage
  const toolPrompt = Math.min(detail.toolPrompt ?? 0, input)
  const prompt = input - toolPrompt
  const thoughts = Math.min(reasoning, output)
  const answer = output - thoughts
  return {
    promptTokenCount: prompt,
    ...(answer > 0 ? { candidatesTokenCount: answer } : {}),
    totalTokenCount: input + output,
    ...(cachedInput > 0 ? { cachedContentTokenCount: cachedInput } : {}),
    ...(prompt > 0
      ? { promptTokensDetails: modalities(prompt, detail.inputAudio, detail.inputImage) }
      : {}),
    ...(detail.outputAudio || detail.outputImage
      ? { candidatesTokensDetails: modalities(answer, detail.outputAudio, detail.outputImage) }
      : {}),
    ...(toolPrompt > 0 ? { toolUsePromptTokenCount: toolPrompt } : {}),
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
  }
}

const tiers: Readonly<Record<string, string>> = {
  default: 'standard',
  standard: 'standard',
  flex: 'flex',
  priority: 'priority',
}

/** The tier for `usageMetadata`, where Google has a word for it. */
export function encodeTier(serviceTier: string | undefined): JsonObject {
  const tier = tiers[serviceTier ?? '']
  return tier === undefined ? {} : { serviceTier: tier }
}
