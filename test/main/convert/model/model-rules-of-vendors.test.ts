import { describe, expect, test } from 'vitest'
import { modelRules, rulesTable } from '../../../../main/convert/model/model-rules.ts'

describe('Gemini', () => {
  test.each([
    ['gemini-2.0-flash', 'none', [], 'yes'],
    ['gemini-2.5-flash', 'budget', [], 'yes'],
    ['gemini-2.5-pro', 'budget', [], 'no'],
    ['gemini-3-pro-preview', 'level', ['low', 'high'], 'no'],
    ['gemini-3.1-pro-preview', 'level', ['low', 'medium', 'high'], 'no'],
    ['gemini-3-flash-preview', 'level', ['minimal', 'low', 'medium', 'high'], 'no'],
    ['gemini-3.1-flash-lite', 'level', ['minimal', 'low', 'medium', 'high'], 'no'],
    ['gemini-3.8-flash', 'level', ['low', 'medium', 'high'], 'no'],
    ['gemini-4-argon', 'level', ['low', 'medium', 'high'], 'no'],
    ['gemini-4-pro', 'level', ['low', 'medium', 'high'], 'no'],
  ])('%s is asked by %s %j', (model, thinking, efforts, thinkingOff) => {
    const rules = modelRules('generate-content', `models/${model}`)
    expect(rules).toMatchObject({ thinking, efforts, thinkingOff })
  })

  test.each([
    ['gemini-2.5-pro', 128, 32_768],
    ['gemini-2.5-flash', 1, 24_576],
    ['gemini-2.5-flash-lite', 512, 24_576],
  ])('%s takes %i to %i tokens of thought', (model, minBudget, maxBudget) => {
    expect(modelRules('generate-content', model)).toMatchObject({ minBudget, maxBudget })
  })

  test('signatures, media in results and JSON Schema come with the generations that have them', () => {
    const of = (model: string) => {
      const { thoughtSignatures, resultMedia, jsonSchemaField } = modelRules(
        'generate-content',
        model,
      )
      return [thoughtSignatures, resultMedia, jsonSchemaField]
    }
    expect(of('gemini-2.0-flash')).toEqual([false, false, false])
    expect(of('gemini-2.5-pro')).toEqual([false, false, true])
    expect(of('gemini-3-pro-preview')).toEqual([true, true, true])
    expect(of('gemini-3.8-flash')).toEqual([true, true, true])
  })

  test('temperature is not sent where it is ignored, penalties not where they are refused', () => {
    expect(modelRules('generate-content', 'gemini-3.8-flash').sampling).toBe(false)
    expect(modelRules('generate-content', 'gemini-3.1-pro-preview').sampling).toBe(true)
    expect(modelRules('generate-content', 'gemini-2.5-flash').penalties).toBe(false)
    expect(modelRules('generate-content', 'gemini-2.0-flash').penalties).toBe(true)
  })
})

describe('other vendors on chat', () => {
  test('an unknown name gets max_tokens and a plain system role', () => {
    const rules = modelRules('chat', 'some-new-model')
    expect(rules).toEqual(rulesTable.defaults.chat)
    expect(rules).toMatchObject({
      maxTokensField: 'max_tokens',
      developerRole: false,
      freeformTools: false,
      toolId: 'any40',
      efforts: [],
    })
  })

  test.each([
    'deepseek-v4-pro',
    'deepseek-reasoner',
    'kimi-k3',
    'kimi-k2-thinking',
    'accounts/fireworks/models/kimi-k2p5',
    'glm-5.2',
  ])('%s gets its reasoning of earlier turns back', (model) => {
    expect(modelRules('chat', model).resendReasoning).toBe(true)
  })

  test.each(['deepseek-r1', 'deepseek-ai/DeepSeek-V3', 'moonshot-v1-8k', 'qwen3.8-max'])(
    '%s does not',
    (model) => {
      expect(modelRules('chat', model)).toMatchObject({ resendReasoning: false, efforts: [] })
    },
  )

  test.each(['mistral-large-latest', 'codestral-latest', 'devstral-medium', 'mistralai/magistral'])(
    '%s gets ids of nine characters and no seed',
    (model) => {
      expect(modelRules('chat', model)).toMatchObject({ toolId: 'mistral9', seed: false })
    },
  )

  test('kimi-k3 gets no temperature, which it refuses', () => {
    expect(modelRules('chat', 'kimi-k3').sampling).toBe(false)
    expect(modelRules('chat', 'moonshot-v1-32k').sampling).toBe(true)
  })

  test.each([
    ['grok-4', []],
    ['grok-4.20-reasoning', []],
    ['grok-code-fast-1', []],
    ['grok-4.3', ['none', 'low', 'medium', 'high']],
    ['grok-4.6', ['low', 'medium', 'high']],
    ['glm-4.7', []],
    ['glm-5.3', ['low', 'high', 'max']],
    ['kimi-k3', ['low', 'high', 'max']],
    ['mistral-medium-latest', ['none', 'high']],
    ['openai/gpt-oss-120b', ['low', 'medium', 'high']],
    ['gemini-2.5-flash', ['none', 'minimal', 'low', 'medium', 'high']],
    ['gemini-3.8-flash', ['low', 'medium', 'high']],
    ['llama-3.3-70b-versatile', []],
  ])('%s takes the efforts %j', (model, efforts) => {
    expect(modelRules('chat', model).efforts).toEqual(efforts)
  })

  test('a vendor that speaks Anthropic’s format is spoken to as Claude was before adaptive thinking', () => {
    expect(modelRules('messages', 'glm-5.2')).toMatchObject({
      thinking: 'budget',
      sampling: true,
      toolId: 'anthropic',
      hostedTools: [],
    })
    expect(modelRules('messages', 'deepseek-v4-pro').efforts).toEqual(['low', 'high', 'max'])
  })

  test('an open model behind a Responses endpoint gets no namespaces and no developer role', () => {
    expect(modelRules('responses', 'llama3.3')).toMatchObject({
      namespaces: false,
      freeformTools: false,
      developerRole: false,
      sampling: true,
    })
    expect(modelRules('responses', 'house-alias')).toEqual(rulesTable.defaults.responses)
  })
})

test('a channel’s own rules go over the table’s', () => {
  const rules = modelRules('chat', 'my-deployment', { maxTokensField: 'max_completion_tokens' })
  expect(rules).toEqual({ ...rulesTable.defaults.chat, maxTokensField: 'max_completion_tokens' })
})

test('fields of OpenAI alone go to its own models only', () => {
  const own = ['gpt-3.5-turbo', 'gpt-4.1', 'gpt-4o-search-preview', 'gpt-5-chat-latest', 'o1-mini']
  for (const model of [...own, 'o3', 'gpt-5', 'gpt-5.5', 'gpt-9'])
    expect(modelRules('chat', model).openaiFields, model).toBe(true)
  for (const model of ['deepseek-v4', 'gpt-oss-120b', 'glm-5.2', 'mistral-large', 'claude-opus-5'])
    expect(modelRules('chat', model).openaiFields, model).toBe(false)
  expect(modelRules('chat', 'some-new-model').openaiFields).toBe(false)
  expect(modelRules('responses', 'gpt-5.5').openaiFields).toBe(true)
  expect(modelRules('responses', 'qwen3-max').openaiFields).toBe(false)
})

test('the o-series takes no parallel_tool_calls', () => {
  const takes = (model: string) => modelRules('responses', model).parallelSwitch
  expect(['o1-mini', 'o3', 'o4-mini', 'gpt-4.1', 'gpt-5'].map(takes)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ])
})

test('Gemini 3 combines functions with Google’s own tools and with JSON, older models do not', () => {
  for (const [model, does] of [
    ['gemini-3-pro', true],
    ['gemini-3.8-flash', true],
    ['gemini-2.5-pro', false],
    ['gemini-2.0-flash', false],
    ['gemma-3-27b-it', false],
  ] as const) {
    const rules = modelRules('generate-content', model)
    expect([rules.toolsBesideHosted, rules.jsonBesideTools], model).toEqual([does, does])
  }
})
