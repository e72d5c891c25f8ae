import { expect, test } from 'vitest'
import { readChatUsage } from '../../../../main/convert/chat/answer/usage.ts'

test.each([
  { prompt_tokens_details: { cached_tokens: 8 } },
  { input_tokens_details: { cached_tokens: 8 } },
  // DeepSeek, Moonshot, and Claude behind compatible layers.
  { prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 2 },
  { cached_tokens: 8 },
  { cache_read_input_tokens: 8 },
])('%j are cached tokens, which cost less', (told) => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, ...told }
  expect(readChatUsage({ usage })).toMatchObject({ input: 10, cachedInput: 8, output: 5 })
})
