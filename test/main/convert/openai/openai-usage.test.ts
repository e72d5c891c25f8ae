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
  const told = usage({ cachedInput: 20, cacheWrite: 3 })
  expect(withinPrompt(told, 38)).toMatchObject({ input: 33, cachedInput: 20, cacheWrite: 3 })
  expect(withinPrompt(told, 37)).toMatchObject({ input: 10, cachedInput: 10, cacheWrite: 0 })
})

test('more cached tokens than prompt are cut to it, those that were read first', () => {
  const told = usage({ cachedInput: 8, cacheWrite: 8 })
  expect(withinPrompt(told, undefined)).toMatchObject({ input: 10, cachedInput: 8, cacheWrite: 2 })
})
