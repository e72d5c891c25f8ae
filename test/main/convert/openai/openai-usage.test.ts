import { expect, test } from 'vitest'
import { withinPrompt } from '../../../../main/convert/openai/openai-usage.ts'

const usage = (fields: object) => ({
  ...{ input: 10, cachedInput: 0, cacheWrite: 0, output: 5, reasoning: 0 },
  ...fields,
})

test('cached tokens within the prompt stay as they are told', () => {
  const told = usage({ cachedInput: 8, cacheWrite: 2 })
  expect(withinPrompt(told, 15)).toEqual(told)
})

test('cached tokens beside the prompt are added to it where the total has room for them', () => {
  const told = usage({ cachedInput: 8, cacheWrite: 8 })
  expect(withinPrompt(told, 31)).toMatchObject({ input: 26, cachedInput: 8, cacheWrite: 8 })
  expect(withinPrompt(told, 30)).toMatchObject({ input: 10, cachedInput: 8, cacheWrite: 2 })
})

// Azure's Grok: 7 tokens of prompt, 163 of a hidden one read from the cache, and 8 in all.
test('more tokens read from the cache than the prompt has are beside it, whatever the total says', () => {
  const told = usage({ input: 7, cachedInput: 163, output: 1 })
  expect(withinPrompt(told, 8)).toMatchObject({ input: 170, cachedInput: 163, cacheWrite: 0 })
  expect(withinPrompt(told, undefined)).toMatchObject({ input: 170, cachedInput: 163 })
})

test('more cached tokens than prompt are cut to it, those that were read first', () => {
  const told = usage({ cachedInput: 8, cacheWrite: 8 })
  expect(withinPrompt(told, undefined)).toMatchObject({ input: 10, cachedInput: 8, cacheWrite: 2 })
})
