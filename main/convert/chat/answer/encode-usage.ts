import type { Usage } from '../../exchange.ts'

/** `usage` as OpenAI writes it: https://platform.openai.com/docs/api-reference/chat/object */
export function encodeChatUsage(usage: Usage): Record<string, unknown> {
  const { detail } = usage
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cachedInput,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
      audio_tokens: detail?.inputAudio ?? 0,
      ...(detail?.inputImage ? { image_tokens: detail.inputImage } : {}),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: detail?.outputAudio ?? 0,
      ...(detail?.outputImage ? { image_tokens: detail.outputImage } : {}),
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}
