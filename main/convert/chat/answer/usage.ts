import type { Usage, UsageDetail } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asTokenCount } from '../../json/json-value.ts'
import { withinPrompt } from '../../openai/openai-usage.ts'
import { pricedTier } from '../../other/priced-tier.ts'

/** Shares of sound and pictures; nothing where there are none. */
function detailOf(
  prompt: JsonObject | undefined,
  completion: JsonObject | undefined,
): { detail?: UsageDetail } {
  const inputAudio = asTokenCount(prompt?.audio_tokens)
  const inputImage = asTokenCount(prompt?.image_tokens)
  const outputAudio = asTokenCount(completion?.audio_tokens)
  const outputImage = asTokenCount(completion?.image_tokens)
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

/**
 * The counts of a usage under Chat's names, else under those that the vendor's other formats have; undefined for one
 * that can't be read.
 */
function countsOf(usage: JsonObject) {
  return {
    prompt: asTokenCount(usage.prompt_tokens) ?? asTokenCount(usage.input_tokens),
    completion: asTokenCount(usage.completion_tokens) ?? asTokenCount(usage.output_tokens),
    total: asTokenCount(usage.total_tokens),
  }
}

/** All tokens of the prompt: Mistral leaves those of sound out of `prompt_tokens`, which shows in its total alone. */
function promptOf(
  { prompt: input = 0, completion = 0, total }: ReturnType<typeof countsOf>,
  details: JsonObject | undefined,
): number {
  const audio = asTokenCount(details?.audio_tokens) ?? 0
  return total === input + audio + completion ? input + audio : input
}

/**
 * All tokens of the answer. xAI leaves the reasoning out of `completion_tokens`
 * (https://docs.x.ai/docs/guides/reasoning), and so does Google's OpenAI layer, without a word of it in the details: the
 * rest of the total is then output. Beside cached tokens and seconds of sound the rest may be a part of the prompt.
 */
function outputOf(counts: Usage, usage: JsonObject, total: number | undefined): number {
  const { input, cachedInput, cacheWrite, output, reasoning } = counts
  if (input === 0 || total === undefined || total <= input + output) return output
  const isPrompt = cachedInput + cacheWrite > 0 || usage.prompt_audio_seconds !== undefined
  return reasoning > 0 || !isPrompt ? total - input : output
}

/** An answer's usage object. Without `stream_options` Moonshot's stands in the last choice of a stream. */
function usageIn(answer: unknown): JsonObject | undefined {
  const body = asObject(answer)
  const choice = asArray(body?.choices).map(asObject).at(-1)
  return asObject(body?.usage) ?? asObject(asObject(body?.x_groq)?.usage) ?? asObject(choice?.usage)
}

/**
 * Usage of a Chat Completions answer or chunk; null where it counts nothing that can be read. `prompt_tokens` counts
 * the cached part too, and `completion_tokens` the reasoning
 * (https://platform.openai.com/docs/api-reference/chat/object). Also read are the spellings of DeepSeek
 * (`prompt_cache_hit_tokens`), Moonshot (`cached_tokens`), Groq (`x_groq.usage`) and of Claude behind compatible
 * layers (`cache_creation_input_tokens`, which Alibaba has among the prompt's details).
 */
export function readChatUsage(answer: unknown): Usage | null {
  const usage = usageIn(answer)
  if (!usage) return null
  const told = countsOf(usage)
  if (Object.values(told).every((count) => count === undefined)) return null
  const prompt = asObject(usage.prompt_tokens_details) ?? asObject(usage.input_tokens_details)
  const completion =
    asObject(usage.completion_tokens_details) ?? asObject(usage.output_tokens_details)
  const counts = {
    input: promptOf(told, prompt),
    cachedInput:
      asTokenCount(prompt?.cached_tokens) ??
      asTokenCount(usage.prompt_cache_hit_tokens) ??
      asTokenCount(usage.cached_tokens) ??
      asTokenCount(usage.cache_read_input_tokens) ??
      0,
    cacheWrite:
      asTokenCount(prompt?.cache_write_tokens) ??
      asTokenCount(prompt?.cache_creation_input_tokens) ??
      asTokenCount(usage.cache_creation_input_tokens) ??
      0,
    output: told.completion ?? 0,
    reasoning: asTokenCount(completion?.reasoning_tokens) ?? 0,
    ...detailOf(prompt, completion),
    ...pricedTier(asObject(answer)?.service_tier),
  }
  const within = withinPrompt(counts, told.total)
  return { ...within, output: outputOf(within, usage, told.total) }
}
