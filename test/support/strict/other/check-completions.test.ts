import { expect, test } from 'vitest'
import type { Json } from '../requests/refusal.ts'
import { refusedBy } from '../requests/refused-by.ts'
import { checkCompletions } from './check-completions.ts'

const base = { model: 'gpt-3.5-turbo-instruct', prompt: 'Hi' }

test.each<[string, Json]>([
  ['a prompt', base],
  ['several prompts', { ...base, prompt: ['a', 'b'] }],
  ['tokens', { ...base, prompt: [[1, 2], [3]] }],
  ['every setting', { ...base, suffix: 'x', echo: true, logprobs: 5, n: 2, best_of: 3, seed: 1 }],
  ['a stream with usage', { ...base, stream: true, stream_options: { include_usage: true } }],
])('takes %s', (_, body) => expect(refusedBy(() => checkCompletions(body))).toBeNull())

test.each<[string, Json, string]>([
  ['no prompt', { model: 'a' }, 'prompt'],
  ['a number', { ...base, prompt: 5 }, 'prompt'],
  ['an empty list', { ...base, prompt: [] }, 'prompt'],
  ['Chat’s messages', { ...base, messages: [] }, 'messages'],
  ['Chat’s limit', { ...base, max_completion_tokens: 5 }, 'max_completion_tokens'],
  ['fewer ranked than wanted', { ...base, n: 3, best_of: 2 }, 'best_of'],
  ['a ranked stream', { ...base, best_of: 2, stream: true }, 'best_of'],
  [
    'usage without a stream',
    { ...base, stream_options: { include_usage: true } },
    'stream_options',
  ],
  ['too many log probabilities', { ...base, logprobs: 6 }, 'logprobs'],
])('refuses %s', (_, body, path) =>
  expect(refusedBy(() => checkCompletions(body))).toMatch(new RegExp(`^${path}: `)),
)
