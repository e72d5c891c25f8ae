import { describe, expect, test } from 'vitest'
import { presets } from '../../../../main/adaptor/presets.ts'
import { modelName } from '../../../../main/convert/model/model-name.ts'
import { modelRules } from '../../../../main/convert/model/model-rules.ts'
import { capabilitiesOf } from '../../../../main/relay/pricing/model-capabilities.ts'
import { factsTable, modelFacts } from '../../../../main/relay/pricing/model-facts.ts'

describe('what is known of a model', () => {
  test('is found under the spellings of vendors and resellers', () => {
    const expected = {
      displayName: 'Claude Sonnet 4.5',
      contextWindow: 200_000,
      maxInput: 200_000,
      maxOutput: 64_000,
      callsTools: true,
      takesImages: true,
    }
    for (const id of [
      'claude-sonnet-4-5',
      'claude-sonnet-4-5-20250929',
      'anthropic/claude-sonnet-4.5',
      'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'claude-sonnet-4-5@20250929',
    ]) {
      expect(modelFacts(id), id).toEqual(expected)
    }
    expect(modelFacts('openai/gpt-5.4')).toEqual({
      displayName: 'GPT-5.4',
      contextWindow: 1_050_000,
      maxInput: 922_000,
      maxOutput: 128_000,
      callsTools: true,
      takesImages: true,
    })
    expect(modelFacts('models/gemini-3.8-flash').maxOutput).toBe(65_536)
    expect(modelFacts('jina-embeddings-v2-base-de').contextWindow).toBe(8192)
  })

  test('is nothing where nothing is known: no number of a relative is taken over', () => {
    const unknown = {
      ...{ contextWindow: null, maxInput: null, maxOutput: null },
      ...{ callsTools: null, takesImages: null },
    }
    for (const id of ['gpt-5.4-turbo-extra', 'claude-opus-9', 'my-model', 'gemini-3.9-flash', '']) {
      expect(modelFacts(id), id).toEqual({ displayName: id, ...unknown })
    }
  })

  test('of weights that others serve too has no numbers under others’ names', () => {
    expect(modelFacts('deepseek-v4-pro').contextWindow).toBe(1_000_000)
    expect(modelFacts('deepseek-ai/DeepSeek-V4-Pro')).toEqual({
      displayName: 'DeepSeek V4 Pro',
      contextWindow: null,
      maxInput: null,
      maxOutput: null,
      callsTools: null,
      takesImages: null,
    })
    expect(modelFacts('MiniMax-M3').contextWindow).toBe(1_000_000)
    expect(modelFacts('gpt-oss:20b').contextWindow).toBeNull()
  })
})

describe('the table of facts', () => {
  const rows = factsTable.families.flatMap(({ models }) => models)

  test('names each model once, in the spelling that is looked up', () => {
    const names = rows.map(({ match }) => match)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names.filter((one) => !one.endsWith('*'))) {
      expect(modelName(name), name).toBe(name)
    }
  })

  test('says where each number is from and when it was read', () => {
    for (const { source, read } of factsTable.families) {
      expect(new URL(source).protocol).toBe('https:')
      expect(read).toMatch(/^20\d\d-\d\d-\d\d$/)
    }
  })

  test('says of models of conversations alone whether they call tools, and where that stands', () => {
    for (const { source, toolsSources = [], models } of factsTable.families) {
      const told = models.filter(({ tools }) => tools !== undefined)
      expect(toolsSources.length > 0, source).toBe(told.length > 0)
      for (const page of toolsSources) expect(new URL(page).protocol).toBe('https:')
      for (const { match } of told) {
        expect(capabilitiesOf([match], ['openai', 'audio']), match).not.toEqual([])
      }
    }
    const callsTools = (id: string) => modelFacts(id).callsTools
    expect(['gpt-4o', 'deepseek-reasoner', 'mistral-large-latest'].map(callsTools)).toEqual([
      true,
      true,
      true,
    ])
    expect(['sonar', 'o3-deep-research', 'gpt-5-chat-latest'].map(callsTools)).toEqual([
      false,
      false,
      false,
    ])
    expect(['text-embedding-3-small', 'whisper-1'].map(callsTools)).toEqual([null, null])
  })

  test('says of models of conversations alone whether they take images, and where that stands', () => {
    for (const { source, imagesSources = [], models } of factsTable.families) {
      const told = models.filter(({ images }) => images !== undefined)
      expect(imagesSources.length > 0, source).toBe(told.length > 0)
      for (const page of imagesSources) expect(new URL(page).protocol).toBe('https:')
      for (const { tools, match } of told) expect(tools, match).toBeDefined()
    }
    const takesImages = (id: string) => modelFacts(id).takesImages
    expect(['gpt-5.5', 'claude-haiku-4-5', 'kimi-k3'].map(takesImages)).toEqual([true, true, true])
    expect(['o3-mini', 'glm-5.2', 'codestral-latest'].map(takesImages)).toEqual([
      false,
      false,
      false,
    ])
    expect(['sonar', 'moonshotai/kimi-k3', 'my-model'].map(takesImages)).toEqual([null, null, null])
  })

  test('has numbers that fit each other', () => {
    for (const { match, context, input, output } of rows) {
      for (const number of [context, input, output]) {
        if (number !== undefined) expect(number, match).toSatisfy(Number.isInteger)
      }
      if (context === undefined) continue
      expect(context, match).toBeGreaterThanOrEqual(256)
      expect(input ?? 1, match).toBeLessThanOrEqual(context)
      // Only models that speak write more tokens than they read.
      if (!match.includes('tts')) expect(output ?? 1, match).toBeLessThanOrEqual(context)
    }
  })

  test('never lets a model be asked for more than it is said to write', () => {
    const asked = { claude: 'messages', gemini: 'generate-content', gpt: 'responses' } as const
    for (const { match, output } of rows) {
      const maker = (['claude', 'gemini', 'gpt'] as const).find((one) => match.startsWith(one))
      if (!maker || output === undefined || /tts|image|realtime|transcribe/.test(match)) continue
      expect(modelRules(asked[maker], match).maxOutput, match).toBeLessThanOrEqual(output)
    }
  })

  test('does not cut an answer of a current GPT shorter than it is said to be', () => {
    const asked = ['gpt-4.1', 'gpt-4.1-mini', 'gpt-4o', 'gpt-5.4', 'gpt-5-chat-latest', 'o4-mini']
    for (const model of asked) {
      const { maxOutput } = modelFacts(model)
      expect(modelRules('chat', model).maxOutput, model).toBe(maxOutput)
    }
  })

  test('knows every model that a vendor is offered with', () => {
    const routers = ['openrouter/auto', 'ark-code-latest', 'hunyuan-turbos-latest']
    const unknown = presets
      .filter(({ id }) => id !== 'echo')
      .flatMap(({ models }) => models)
      .filter((model) => {
        const { displayName, contextWindow } = modelFacts(model)
        return displayName === model && contextWindow === null
      })
    expect(unknown.filter((model) => !routers.includes(model))).toEqual([
      'deepseek-ai/DeepSeek-V3',
      'deepseek-ai/DeepSeek-V3',
      'doubao-seed-1-8-251228',
    ])
  })
})
