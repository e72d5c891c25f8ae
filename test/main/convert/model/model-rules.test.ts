import { describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { modelName } from '../../../../main/convert/model/model-name.ts'
import { modelRules, rulesTable } from '../../../../main/convert/model/model-rules.ts'

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
const hostedTools = [
  'web-search web-fetch code-execution file-search image-generation maps mcp tool-search bash',
  'text-editor computer memory apply-patch local-shell shell other',
].flatMap((line) => line.split(' '))
const oneOf = (...words: string[]) => new RegExp(`^(${words.join('|')})$`)

/** The allowed values of each rule: a type's name, the words, or the members of a list. */
const shape: Record<string, 'boolean' | 'number' | RegExp | readonly string[]> = {
  sampling: 'boolean',
  bothSampling: 'boolean',
  topK: 'boolean',
  penalties: 'boolean',
  seed: 'boolean',
  stop: 'boolean',
  logprobs: 'boolean',
  logitBias: 'boolean',
  temperatureMax: 'number',
  maxStop: 'number',
  thinking: oneOf('adaptive', 'budget', 'level', 'effort', 'none'),
  budgetThinking: 'boolean',
  thinkingOff: oneOf('yes', 'up-to-high', 'between-tools', 'no'),
  thinkingSwitch: oneOf('none', 'thinking', 'enable_thinking'),
  efforts,
  effortWithTools: oneOf('any', 'unset', 'none', 'never'),
  minBudget: 'number',
  maxBudget: 'number',
  forcedTool: oneOf('yes', 'unnamed', 'without-thinking', 'no'),
  maxOutput: 'number',
  maxWholeOutput: /^(null|\d+)$/,
  prefill: 'boolean',
  midSystem: 'boolean',
  userAfterTool: 'boolean',
  developerRole: 'boolean',
  maxTokensField: oneOf('max_tokens', 'max_completion_tokens'),
  structuredOutput: 'boolean',
  jsonObject: 'boolean',
  strictTools: 'boolean',
  freeformTools: 'boolean',
  phases: 'boolean',
  namespaces: 'boolean',
  jsonSchemaField: 'boolean',
  resultMedia: 'boolean',
  thoughtSignatures: 'boolean',
  resendReasoning: 'boolean',
  inlineThoughts: 'boolean',
  boundThoughts: 'boolean',
  fastMode: 'boolean',
  cacheMarks: 'boolean',
  maxToolName: 'number',
  toolId: oneOf('any64', 'anthropic', 'mistral9', 'any40'),
  urlMedia: 'boolean',
  hostedTools,
  streamUsage: 'boolean',
  openaiFields: 'boolean',
  parallelSwitch: 'boolean',
  toolsBesideHosted: 'boolean',
  jsonBesideTools: 'boolean',
}

/** Names in `rules` of rules that do not exist or have a value that is not allowed. */
function wrongRules(rules: object): string[] {
  return Object.entries(rules)
    .filter(([name, value]) => {
      const wanted = shape[name]
      if (wanted === undefined) return true
      if (typeof wanted === 'string') return typeof value !== wanted
      if (wanted instanceof RegExp) return !wanted.test(String(value))
      if (!Array.isArray(value)) return true
      const places = value.map((word) => wanted.indexOf(word))
      const isRising = places.every(
        (place, index) => index === 0 || place > (places[index - 1] ?? 0),
      )
      return places.includes(-1) || (name === 'efforts' && !isRising)
    })
    .map(([name]) => name)
}

describe('the table', () => {
  test('holds only known names and values', () => {
    const { defaults, bases, families } = rulesTable
    for (const rules of [
      ...Object.values(defaults),
      ...Object.values(bases),
      ...families.map((family) => family.rules),
    ]) {
      expect(wrongRules(rules)).toEqual([])
    }
    for (const format of ['chat', 'messages', 'generate-content', 'responses'] as const) {
      expect(Object.keys(defaults[format] ?? {}).sort()).toEqual(Object.keys(shape).sort())
    }
    const known = ['formats', 'pattern', 'bases', 'rules', 'note']
    for (const family of families) {
      expect(Object.keys(family).filter((key) => !known.includes(key))).toEqual([])
      expect((family.bases ?? []).filter((base) => !(base in bases))).toEqual([])
      expect(family.note.length).toBeGreaterThan(10)
      expect(family.pattern.startsWith('^') || family.pattern === '(image|tts)').toBe(true)
    }
  })

  test('lets no base stand unused', () => {
    const used = new Set(rulesTable.families.flatMap((family) => family.bases ?? []))
    expect([...used].sort()).toEqual(Object.keys(rulesTable.bases).sort())
  })

  test('offers no effort to a model that cannot think, and a budget only where budgets are', () => {
    const names = ['gpt-4o', 'gpt-5.6', 'o3', 'glm-5.2', 'grok-4.6', 'gemini-2.5-pro', 'gemini-3.8']
    for (const format of ['chat', 'messages', 'generate-content', 'responses'] as const) {
      for (const name of [...names, 'claude-opus-4-1', 'claude-sonnet-5-5', 'unknown']) {
        const rules = modelRules(format, name)
        if (rules.thinking === 'none') expect(rules.efforts).toEqual([])
        if (rules.thinking === 'budget') expect(rules.budgetThinking).toBe(true)
        if (rules.efforts.includes('none')) expect(rules.thinkingOff).toBe('yes')
        expect(rules.maxBudget).toBeGreaterThan(rules.minBudget)
      }
    }
  })
})

describe('names of models', () => {
  test.each([
    ['claude-3-5-sonnet-latest', 'claude-sonnet-3-5'],
    ['claude-3-opus-20240229', 'claude-opus-3-0'],
    ['claude-sonnet-4-20250514', 'claude-sonnet-4-0'],
    ['claude-sonnet-4@20250514', 'claude-sonnet-4-0'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['claude-4-5-sonnet', 'claude-sonnet-4-5'],
    ['claude-4.5-sonnet-20250929', 'claude-sonnet-4-5'],
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['us.anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    ['anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5'],
    ['claude-opus-5-5[1m]', 'claude-opus-5-5'],
    ['claude-opus-4-1-20250805', 'claude-opus-4-1'],
    ['Claude-Fable-5', 'claude-fable-5-0'],
    ['claude-mythos-5-2', 'claude-mythos-5-2'],
    ['work-claude-opus-4-8', 'claude-opus-4-8'],
    ['claude-2.1', 'claude-2.1'],
    ['gpt-5-mini-2025-08-07', 'gpt-5-mini'],
    ['openai/gpt-oss-120b:free', 'gpt-oss-120b'],
    ['models/gemini-2.5-flash', 'gemini-2.5-flash'],
    ['accounts/fireworks/models/kimi-k2p5', 'kimi-k2p5'],
    ['us.deepseek.r1-v1:0', 'deepseek.r1-v1'],
    ['deepseek-ai/DeepSeek-V3', 'deepseek-v3'],
    ['qwen2.5-72b-instruct', 'qwen2.5-72b-instruct'],
  ])('%s is read as %s', (name, plain) => {
    expect(modelName(name)).toBe(plain)
  })
})

describe('Claude (the table of the wire-format contract, 4.2)', () => {
  test.each([
    // model, sampling, budget, off, thinking, xhigh, forced tool, default max output
    ['claude-3-7-sonnet-20250219', true, true, 'yes', 'budget', false, 'without-thinking', 64_000],
    ['claude-sonnet-4-0', true, true, 'yes', 'budget', false, 'without-thinking', 64_000],
    ['claude-opus-4-1', true, true, 'yes', 'budget', false, 'without-thinking', 32_000],
    ['claude-haiku-4-5', true, true, 'yes', 'budget', false, 'without-thinking', 64_000],
    ['claude-opus-4-6', true, true, 'yes', 'adaptive', false, 'yes', 128_000],
    ['claude-sonnet-4-6', true, true, 'yes', 'adaptive', false, 'yes', 128_000],
    ['claude-opus-4-7', false, false, 'yes', 'adaptive', true, 'yes', 128_000],
    ['claude-opus-4-8', false, false, 'yes', 'adaptive', true, 'yes', 128_000],
    ['claude-sonnet-5', false, false, 'yes', 'adaptive', true, 'yes', 128_000],
    ['claude-opus-5', false, false, 'up-to-high', 'adaptive', true, 'yes', 128_000],
    ['claude-haiku-5-5', false, false, 'up-to-high', 'adaptive', true, 'yes', 128_000],
    ['claude-opus-5-5', false, false, 'no', 'adaptive', true, 'no', 128_000],
    ['claude-sonnet-5-5', false, false, 'between-tools', 'adaptive', true, 'no', 128_000],
    ['claude-fable-5', false, false, 'no', 'adaptive', true, 'yes', 128_000],
    ['claude-fable-5-1', false, false, 'no', 'adaptive', true, 'no', 128_000],
    ['claude-fable-5-2', false, false, 'no', 'adaptive', true, 'no', 128_000],
  ])('%s', (model, sampling, budget, off, thinking, xhigh, forced, maxOutput) => {
    const rules = modelRules('messages', model)
    expect({
      sampling: rules.sampling,
      budget: rules.budgetThinking,
      off: rules.thinkingOff,
      thinking: rules.thinking,
      xhigh: rules.efforts.includes('xhigh'),
      forced: rules.forcedTool,
      maxOutput: rules.maxOutput,
    }).toEqual({ sampling, budget, off, thinking, xhigh, forced, maxOutput })
  })

  test('a prefilled answer is sent up to 4.5, a JSON schema and strict tools from 4.5', () => {
    expect(modelRules('messages', 'claude-sonnet-4-5').prefill).toBe(true)
    expect(modelRules('messages', 'claude-sonnet-4-6').prefill).toBe(false)
    expect(modelRules('messages', 'claude-opus-4-1').structuredOutput).toBe(false)
    expect(modelRules('messages', 'claude-opus-4-5')).toMatchObject({
      structuredOutput: true,
      strictTools: true,
      bothSampling: false,
    })
  })

  test('a system turn inside the conversation is left there from 4.8', () => {
    const has = (model: string) => modelRules('messages', model).midSystem
    expect(['claude-opus-4-6', 'claude-opus-4-7'].map(has)).toEqual([false, false])
    expect(['claude-opus-4-8', 'claude-sonnet-5', 'claude-haiku-5-5'].map(has)).not.toContain(false)
  })

  test('3.5 is asked for no thoughts, because it has none', () => {
    const rules = modelRules('messages', 'claude-3-5-haiku-latest')
    expect(rules).toMatchObject({ thinking: 'none', budgetThinking: false, maxOutput: 4096 })
  })

  test('a Claude of tomorrow gets the newest rules', () => {
    const newest = { ...rulesTable.defaults.messages, boundThoughts: true }
    expect(modelRules('messages', 'claude-opus-9')).toEqual(newest)
    expect(modelRules('messages', 'house-alias')).toEqual(rulesTable.defaults.messages)
  })

  test('behind a compatible layer it is spoken to as such vendors are', () => {
    const old = modelRules('chat', 'anthropic/claude-sonnet-4.5')
    expect(old).toMatchObject({
      maxTokensField: 'max_tokens',
      developerRole: false,
      sampling: true,
    })
    expect(modelRules('chat', 'claude-opus-5-5').sampling).toBe(false)
  })
})

describe('OpenAI', () => {
  test.each([
    ['gpt-4o', []],
    ['o3-mini-2025-01-31', ['low', 'medium', 'high']],
    ['gpt-5', ['minimal', 'low', 'medium', 'high']],
    ['gpt-5-nano-2025-08-07', ['minimal', 'low', 'medium', 'high']],
    ['gpt-5-codex', ['low', 'medium', 'high']],
    ['gpt-5-pro', ['high']],
    ['gpt-5-chat-latest', []],
    ['gpt-5.1', ['none', 'low', 'medium', 'high']],
    ['gpt-5.1-codex-max', ['low', 'medium', 'high', 'xhigh']],
    ['gpt-5.1-codex-mini', ['medium', 'high']],
    ['gpt-5.2-pro-2025-12-11', ['medium', 'high', 'xhigh']],
    ['gpt-5.2-chat-latest', ['medium']],
    ['gpt-5.4-mini', ['none', 'low', 'medium', 'high', 'xhigh']],
  ])('%s takes the efforts %j on both of its formats', (model, expected) => {
    expect(modelRules('chat', model).efforts).toEqual(expected)
    expect(modelRules('responses', model).efforts).toEqual(expected)
  })

  test.each(['gpt-5.6-sol', 'gpt-6'])('%s takes max on Responses alone', (model) => {
    const all = ['none', 'low', 'medium', 'high', 'xhigh', 'max']
    expect(modelRules('responses', model).efforts).toEqual(all)
    expect(modelRules('chat', model).efforts).toEqual(all.slice(0, -1))
  })

  test('the effort that chat refuses beside tools is known', () => {
    const names = [
      'gpt-4.1',
      'gpt-5',
      'gpt-5.2',
      'gpt-5.4-mini',
      'gpt-5.5',
      'gpt-5.6-luna',
      'gpt-6',
    ]
    expect(names.map((model) => modelRules('chat', model).effortWithTools)).toEqual([
      'any',
      'any',
      'any',
      'unset',
      'unset',
      'none',
      'none',
    ])
    expect(modelRules('responses', 'gpt-5.6').effortWithTools).toBe('any')
    expect(modelRules('chat', 'some-new-model').effortWithTools).toBe('any')
  })

  test.each(['o3', 'o4-mini', 'gpt-5', 'gpt-5.6-luna', 'gpt-7'])(
    '%s gets max_completion_tokens, the developer role and no temperature',
    (model) => {
      expect(modelRules('chat', model)).toMatchObject({
        sampling: false,
        penalties: false,
        stop: false,
        logitBias: false,
        maxTokensField: 'max_completion_tokens',
        developerRole: true,
        midSystem: true,
      })
    },
  )

  test('gpt-4.1 gets what it always got', () => {
    expect(modelRules('chat', 'gpt-4.1-mini')).toMatchObject({
      sampling: true,
      maxTokensField: 'max_tokens',
      developerRole: false,
      thinking: 'none',
      freeformTools: false,
      structuredOutput: true,
    })
    expect(modelRules('responses', 'gpt-4.1').sampling).toBe(true)
    expect(modelRules('responses', 'gpt-4.1').penalties).toBe(false)
  })

  test('cache marks begin with 5.6, freeform tools with 5, namespaces with 5.4', () => {
    const of = (format: WireFormat, model: string) => modelRules(format, model)
    expect(of('chat', 'gpt-5.5').cacheMarks).toBe(false)
    expect(of('responses', 'gpt-5.5').cacheMarks).toBe(false)
    expect(of('chat', 'gpt-5.6-terra').cacheMarks).toBe(true)
    expect(of('responses', 'gpt-5.6-terra').cacheMarks).toBe(true)
    expect(of('chat', 'gpt-5').freeformTools).toBe(true)
    expect(of('chat', 'o3').freeformTools).toBe(false)
    expect(of('responses', 'gpt-5.4').namespaces).toBe(true)
    expect(of('responses', 'gpt-5.2').namespaces).toBe(false)
    expect(of('chat', 'gpt-5.6').namespaces).toBe(false)
  })
})
