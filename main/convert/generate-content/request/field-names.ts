import type { RequestField } from '../../exchange.ts'

/** Paths of a request's fields in a generateContent body, for refusals and losses. */
export const fieldNames: Readonly<Partial<Record<RequestField, string>>> = {
  turns: 'contents',
  tools: 'tools',
  toolChoice: 'toolConfig.functionCallingConfig',
  reasoning: 'generationConfig.thinkingConfig',
  output: 'generationConfig.responseJsonSchema',
  maxOutput: 'generationConfig.maxOutputTokens',
  temperature: 'generationConfig.temperature',
  topP: 'generationConfig.topP',
  topK: 'generationConfig.topK',
  stop: 'generationConfig.stopSequences',
  count: 'generationConfig.candidateCount',
  seed: 'generationConfig.seed',
  presencePenalty: 'generationConfig.presencePenalty',
  frequencyPenalty: 'generationConfig.frequencyPenalty',
  logprobs: 'generationConfig.responseLogprobs',
  modalities: 'generationConfig.responseModalities',
  serviceTier: 'serviceTier',
  store: 'store',
}
