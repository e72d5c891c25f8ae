import { describe, expect, test } from 'vitest'
import type { ExchangeRequest, Part, Turn } from '../../../../main/convert/exchange.ts'
import { generateContentConversion } from '../../../../main/convert/generate-content/conversion.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { modelRules } from '../../../../main/convert/model/model-rules.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'
import { asked, encoded, gemini3, gemini25, refusal, taken } from './wire-ways.ts'

const text = (words: string, at = 'messages[0]'): Part => ({ type: 'text', text: words, at })
const user = (...parts: Part[]): Turn => ({ role: 'user', parts, at: 'messages[0]' })

describe('tools', () => {
  const get = (more = {}) => ({
    type: 'function' as const,
    name: 'get',
    schema: { type: 'object', properties: { a: { type: 'string' } } },
    at: 'tools[0]',
    ...more,
  })
  const search = {
    type: 'hosted' as const,
    tool: 'web-search' as const,
    name: 'web_search',
    origin: 'responses' as const,
    value: { type: 'web_search' },
    at: 'tools[1]',
  }

  test('a schema goes as it is, or in Google’s subset for models without the newer field', () => {
    const { body } = taken({ tools: [get()] })
    expect(body.tools).toEqual([
      { functionDeclarations: [{ name: 'get', parametersJsonSchema: get().schema }] },
    ])
    const older = encoded(asked({ tools: [get()] }), 'gemini-2.0-flash').body.tools
    expect(JSON.stringify(older)).toContain('"parameters"')
    expect(JSON.stringify(older)).not.toContain('parametersJsonSchema')
  })

  test('a schema without a form is completed, and nothing stands beside a reference', () => {
    const { body } = taken({
      tools: [
        get({
          schema: { type: 'object', anyOf: [{ properties: { a: {} } }, { required: ['b'] }] },
        }),
        get({
          name: 'two',
          schema: {
            type: 'object',
            properties: { a: { $ref: '#/$defs/A', description: 'One.' } },
            $defs: { A: { type: 'string' } },
          },
        }),
      ],
    })
    expect(body.tools).toMatchObject([
      {
        functionDeclarations: [
          { parametersJsonSchema: { type: 'object', properties: { a: {} } } },
          {
            parametersJsonSchema: {
              properties: { a: { description: 'One.', anyOf: [{ $ref: '#/$defs/A' }] } },
            },
          },
        ],
      },
    ])
    expect(JSON.stringify(body.tools)).not.toContain('"required":["b"]')
  })

  test.each([[null], [{}], [{ type: 'object', properties: {} }]])(
    'no parameters are left out: %j',
    (schema) => {
      const { body } = taken({ tools: [get({ schema })] })
      expect(body.tools).toEqual([{ functionDeclarations: [{ name: 'get' }] }])
    },
  )

  test.each<[ExchangeRequest['toolChoice'], Json]>([
    [{ mode: 'auto' }, { mode: 'AUTO' }],
    [{ mode: 'none' }, { mode: 'NONE' }],
    [{ mode: 'required' }, { mode: 'ANY' }],
    [
      { mode: 'one', name: 'get', kind: 'function' },
      { mode: 'ANY', allowedFunctionNames: ['get'] },
    ],
    [
      { mode: 'some', names: ['get'], isRequired: true },
      { mode: 'ANY', allowedFunctionNames: ['get'] },
    ],
    [
      { mode: 'some', names: ['get'], isRequired: false },
      { mode: 'VALIDATED', allowedFunctionNames: ['get'] },
    ],
  ])('a choice has its mode: %j', (toolChoice, functionCallingConfig) => {
    const { body } = taken({ tools: [get()], ...(toolChoice ? { toolChoice } : {}) })
    expect(body.toolConfig).toEqual({ functionCallingConfig })
  })

  test('strict tools hold all calls to their schemas', () => {
    const { body, losses } = taken({ tools: [get({ strict: true })] })
    expect(body.toolConfig).toEqual({ functionCallingConfig: { mode: 'VALIDATED' } })
    expect(losses).toEqual(['approximated tools[0].strict'])
  })

  test('a choice without functions is left out', () => {
    expect(taken({ toolChoice: { mode: 'required' } }).body.toolConfig).toBeUndefined()
  })

  test('search becomes Google’s, beside functions only where the model takes both', () => {
    const both = taken({ tools: [get(), search] }).body
    expect((both.tools as Json[])[1]).toEqual({ googleSearch: {} })
    expect(both.toolConfig).toEqual({ includeServerSideToolInvocations: true })
    const older = taken({ tools: [get(), search] }, gemini25)
    expect(older.body.tools).toHaveLength(1)
    expect(older.losses).toEqual(['dropped tools[1]'])
    expect(taken({ tools: [search] }, gemini25).body.tools).toEqual([{ googleSearch: {} }])
  })

  test('a forced tool that Google does not have is refused', () => {
    const mcp = { ...search, tool: 'mcp' as const, name: 'mcp' }
    expect(taken({ tools: [mcp] }).losses).toEqual(['dropped tools[1]'])
    expect(
      refusal({ tools: [mcp], toolChoice: { mode: 'one', name: 'mcp', kind: 'hosted' } }),
    ).toContain('toolChoice')
  })
})

describe('settings', () => {
  test.each<[ExchangeRequest['reasoning'], string, Json | undefined]>([
    [{ effort: 'none' }, gemini3, { thinkingLevel: 'LOW' }],
    [{ effort: 'minimal' }, 'gemini-3-flash', { thinkingLevel: 'MINIMAL' }],
    [{ effort: 'medium' }, 'gemini-3-pro', { thinkingLevel: 'HIGH' }],
    [{ effort: 'max', isShown: true }, gemini3, { thinkingLevel: 'HIGH', includeThoughts: true }],
    [{ budget: 2000 }, gemini3, { thinkingLevel: 'LOW' }],
    [{ budget: 30_000, mode: 'on' }, gemini3, { thinkingLevel: 'HIGH' }],
    [{ mode: 'adaptive' }, gemini3, undefined],
    [{ budget: 'dynamic' }, gemini3, undefined],
    [{ effort: 'none', isShown: true }, gemini25, { thinkingBudget: 0 }],
    [{ mode: 'off' }, gemini25, { thinkingBudget: 0 }],
    [{ effort: 'none' }, 'gemini-2.5-pro', { thinkingBudget: 128 }],
    [{ effort: 'medium' }, gemini25, { thinkingBudget: 7373 }],
    [{ effort: 'max' }, gemini25, { thinkingBudget: 24_576 }],
    [{ effort: 'max' }, 'gemini-2.5-pro', { thinkingBudget: 32_768 }],
    [{ budget: 100_000 }, gemini25, { thinkingBudget: 24_576 }],
    [{ budget: 'dynamic' }, gemini25, { thinkingBudget: -1 }],
    [{ effort: 'high' }, 'gemini-2.0-flash', undefined],
  ])('thinking of %j for %s', (reasoning, model, thinkingConfig) => {
    const { config } = taken(reasoning ? { reasoning } : {}, model)
    expect(config.thinkingConfig).toEqual(thinkingConfig)
  })

  test('a budget leaves room for the answer', () => {
    const { config } = taken({ reasoning: { effort: 'high' }, maxOutput: 1000 }, gemini25)
    expect(config).toEqual({ maxOutputTokens: 1000, thinkingConfig: { thinkingBudget: 950 } })
  })

  test('what the model takes goes on, in Google’s words', () => {
    const { config, losses } = taken(
      {
        temperature: 1.5,
        topP: 0.5,
        topK: 10,
        maxOutput: 100,
        stop: ['a'],
        seed: 7,
        count: 2,
        logprobs: 5,
        output: { type: 'schema', schema: { type: 'object' }, name: 'x', description: 'A thing.' },
      },
      gemini25,
    )
    expect(config).toEqual({
      temperature: 1.5,
      topP: 0.5,
      topK: 10,
      maxOutputTokens: 100,
      stopSequences: ['a'],
      seed: 7,
      candidateCount: 2,
      responseLogprobs: true,
      logprobs: 5,
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object', description: 'A thing.' },
    })
    expect(losses).toEqual([])
  })

  test.each([
    [false, 32_768],
    [true, 65_536],
  ])('no more is asked of Gemini 4 than it writes, streamed: %s', (stream, most) => {
    const { config, losses } = taken({ stream, maxOutput: 200_000 }, 'gemini-4-argon')
    expect(config.maxOutputTokens).toBe(most)
    expect(losses).toEqual(['approximated maxOutput'])
    const fits = taken({ stream, maxOutput: most }, 'gemini-4-argon')
    expect([fits.config.maxOutputTokens, fits.losses]).toEqual([most, []])
  })

  test('where requests are kept unasked, only a client that wants it has them kept', () => {
    const stored = (request: Partial<ExchangeRequest>, storesUnasked: boolean) => {
      const target = { model: gemini3, rules: modelRules('generate-content', gemini3) }
      return generateContentConversion.encodeRequest(asked(request), {
        ...{ ...target, storesUnasked },
        loss: new Loss({}),
      }).store
    }
    for (const origin of ['chat', 'responses', 'messages'] as const) {
      expect(stored({ origin }, true)).toBe(false)
      expect(stored({ origin, store: false }, true)).toBe(false)
      expect(stored({ origin, store: true }, true)).toBeUndefined()
      expect(stored({ origin, store: false }, false)).toBeUndefined()
    }
    expect(stored({ origin: 'generate-content' }, true)).toBeUndefined()
    expect(stored({ origin: 'generate-content', store: true }, true)).toBe(true)
  })

  test('what it does not take is left out, and said', () => {
    const { config, losses } = taken(
      {
        temperature: 0.5,
        topK: 1,
        presencePenalty: 1,
        stop: ['a', '', 'b', 'c', 'd', 'e', 'f'],
        maxOutput: 10_000_000,
        seed: 2 ** 40,
        count: 1,
        logitBias: { 1: 1 },
        verbosity: 'low',
        user: 'u',
        metadata: { a: 'b' },
        cacheKey: 'k',
        store: true,
        serviceTier: 'scale',
        tools: [{ type: 'function', name: 'get', schema: null }],
        parallelCalls: false,
      },
      'gemini-3.8-flash',
    )
    expect(config).toEqual({
      stopSequences: ['a', 'b', 'c', 'd', 'e'],
      maxOutputTokens: 65_536,
      seed: expect.any(Number),
    })
    expect(losses).toEqual([
      'dropped temperature',
      'dropped topK',
      'dropped presencePenalty',
      'approximated seed',
      'dropped stop',
      'approximated stop',
      'approximated maxOutput',
      'dropped logitBias',
      'dropped verbosity',
      'dropped user',
      'dropped metadata',
      'dropped cacheKey',
      'dropped store',
      'dropped parallelCalls',
      'dropped serviceTier',
    ])
  })

  test.each<[string, Partial<ExchangeRequest>]>([
    ['temperature', { temperature: 3 }],
    ['maxOutput', { maxOutput: 0 }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['previousResponseId', { previousResponseId: 'resp_1' }],
    ['count', { count: 9 }],
  ])('%s is refused where it cannot be right', (field, request) => {
    expect(refusal(request)).toContain(field)
  })

  test.each([
    ['standard_only', 'standard'],
    ['priority', 'priority'],
    ['auto', undefined],
  ])('the tier %s is %s', (serviceTier, tier) => {
    expect(taken({ serviceTier }).body.serviceTier).toBe(tier)
  })

  test('JSON beside functions is asked for in words where the model cannot have both', () => {
    const request = {
      output: { type: 'schema' as const, schema: { type: 'object' } },
      tools: [{ type: 'function' as const, name: 'get', schema: null }],
    }
    expect(taken(request).config.responseMimeType).toBe('application/json')
    const older = taken(request, gemini25)
    expect(older.config.responseMimeType).toBeUndefined()
    expect(JSON.stringify(older.body.systemInstruction)).toContain('JSON Schema')
    expect(older.losses).toEqual(['approximated output'])
  })

  test('cache marks and fields of other vendors are said to be lost', () => {
    const { losses } = taken({
      origin: 'messages',
      turns: [user({ ...text('Hi'), cacheMark: { ttl: null } } as Part)],
      native: { origin: 'messages', fields: { context_management: {} } },
    })
    expect(losses).toEqual(['dropped messages[0].cache_control', 'dropped context_management'])
  })
})
