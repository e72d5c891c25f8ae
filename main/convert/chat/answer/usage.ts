import type { Usage, UsageDetail } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asCount, asObject } from '../../json/json-value.ts'
import { withinPrompt } from '../../openai/openai-usage.ts'

/** Shares of sound and pictures; nothing where there are none. */
function detailOf(
  prompt: JsonObject | undefined,
  completion: JsonObject | undefined,
): { detail?: UsageDetail } {
  const inputAudio = asCount(prompt?.audio_tokens)
  const inputImage = asCount(prompt?.image_tokens)
  const outputAudio = asCount(completion?.audio_tokens)
  const outputImage = asCount(completion?.image_tokens)
  if (!inputAudio && !inputImage && !outputAudio && !outputImage) return {}
  return {
    detail: {
      ...(inputAudio ? { inputAudio } : {}),
      ...(inputImage ? { inputImage } : {}),
      ...(outputAudio ? { outputAudio } : {}),
      ...(outputImage ? { outputImage } : {}),
    },
  }
}

/** All tokens of the prompt: Mistral leaves those of sound out of `prompt_tokens`, which shows in its total alone. */
function promptOf(usage: JsonObject): number {
  const count = (name: string) => asCount(usage[name]) ?? 0
  const input = count('prompt_tokens')
  const audio = asCount(asObject(usage.prompt_tokens_details)?.audio_tokens) ?? 0
  const isLeftOut = usage.total_tokens === input + audio + count('completion_tokens')
  return isLeftOut ? input + audio : input
}

/**
 * Usage of a Chat Completions answer or chunk. `prompt_tokens` counts the cached part too, and
 * `completion_tokens` the reasoning (https://platform.openai.com/docs/api-reference/chat/object).
 * Also read are the spellings of DeepSeek (`prompt_cache_hit_tokens`), Moonshot (`cached_tokens`),
 * Groq (`x_groq.usage`) and of Claude behind compatible layers (`cache_creation_input_tokens`).
 */
export function readChatUsage(answer: unknown): Usage | null {
  const body = asObject(answer)
  const usage = asObject(body?.usage) ?? asObject(asObject(body?.x_groq)?.usage)
  if (!usage) return null
  const prompt = asObject(usage.prompt_tokens_details)
  const completion = asObject(usage.completion_tokens_details)
  const counts = {
    input: promptOf(usage),
    cachedInput:
      asCount(prompt?.cached_tokens) ??
      asCount(usage.prompt_cache_hit_tokens) ??
      asCount(usage.cached_tokens) ??
      asCount(usage.cache_read_input_tokens) ??
      0,
    cacheWrite:
      asCount(prompt?.cache_write_tokens) ?? asCount(usage.cache_creation_input_tokens) ?? 0,
    output: asCount(usage.completion_tokens) ?? 0,
    reasoning: asCount(completion?.reasoning_tokens) ?? 0,
    ...detailOf(prompt, completion),
  }
  return withinPrompt(counts, asCount(usage.total_tokens))
}
