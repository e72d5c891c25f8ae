import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CachePlace } from '../../../../main/relay/explicit-cache/cache-place.ts'
import {
  bodyBesideCache,
  cacheBody,
  planCache,
} from '../../../../main/relay/explicit-cache/cache-plan.ts'

type Json = Record<string, unknown>
interface Turn {
  role: string
  parts: Json[]
}

const part = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text): Json => ({ text })),
  fc.constant<Json>({ functionResponse: { name: 'f', response: {} } }),
)
const turn = fc.record({
  role: fc.constantFrom('user', 'model'),
  parts: fc.array(part, { minLength: 1, maxLength: 3 }),
})
const body = fc.record(
  {
    systemInstruction: fc.constant({ parts: [{ text: 'Be “kind”' }] }),
    tools: fc.constant([{ functionDeclarations: [] }]),
    contents: fc.array(turn, { minLength: 1, maxLength: 5 }),
    generationConfig: fc.constant({ temperature: 1 }),
    serviceTier: fc.constant('flex'),
  },
  { requiredKeys: ['contents'] },
)
const marks = fc.array(
  fc.record({
    path: fc.constant('here'),
    ttl: fc.constantFrom('5m', '1h', '30m', '24h', null),
    turn: fc.integer({ min: -1, max: 4 }),
    part: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 3 },
)

const parsed = (bytes: Buffer) => JSON.parse(bytes.toString()) as Json & { contents?: Turn[] }

/** Turns with neighbours of one role in one, as the model reads them. */
const joined = (turns: readonly Turn[]) =>
  turns.flatMap(({ role, parts }) => parts.map((one) => ({ role, one })))

describe('a body that is split for a cache', () => {
  test('holds the same prompt in its two halves at every place, and says nothing twice', () => {
    fc.assert(
      fc.property(body, marks, (whole, wished) => {
        const planned = planCache(whole, wished, 'm')
        if (!planned) throw new Error('it can be split')
        const { bytes, plan } = planned
        expect(parsed(bytes)).toEqual(whole)
        for (const border of plan.borders) {
          const cache = parsed(cacheBody(bytes, plan, border, { model: 'models/m' }))
          const rest = parsed(bodyBesideCache(bytes, plan, border, 'cachedContents/1'))
          const turns = [...(cache.contents ?? []), ...(rest.contents ?? [])]
          expect(joined(turns)).toEqual(joined(whole.contents))
          expect(rest.contents?.length).toBeGreaterThan(0)
          const { systemInstruction, tools } = cache
          const { generationConfig, serviceTier } = rest
          expect(JSON.stringify({ systemInstruction, tools, generationConfig, serviceTier })).toBe(
            JSON.stringify({
              systemInstruction: whole.systemInstruction,
              tools: whole.tools,
              generationConfig: whole.generationConfig,
              serviceTier: whole.serviceTier,
            }),
          )
          const last = cache.contents?.at(-1)
          expect(last?.role ?? 'user').toBe('user')
          expect(last?.parts.at(-1)?.functionResponse).toBeUndefined()
        }
        expect(plan.ttl).toBeGreaterThanOrEqual(300)
        expect(plan.ttl).toBeLessThanOrEqual(3600)
      }),
      { numRuns: 300 },
    )
  })

  test('has the same digest for the same beginning, and another for another model', () => {
    const mark = [{ path: 'here', ttl: null, turn: 0, part: 0 }]
    const start = { role: 'user', parts: [{ text: 'A paper' }] }
    const digestOf = (contents: Turn[], model = 'm') =>
      planCache({ contents }, mark, model)?.plan.borders.at(-1)?.digest
    const one = digestOf([{ ...start, parts: [...start.parts, { text: 'What is it?' }] }])
    const two = digestOf([start, { role: 'model', parts: [{ text: 'Paper' }] }])
    expect(one).toBeDefined()
    expect(two).toBe(one)
    expect(digestOf([start, { role: 'model', parts: [] }], 'n')).not.toBe(one)
    expect(digestOf([{ role: 'user', parts: [{ text: 'B' }] }, start])).not.toBe(one)
  })

  test('is not split where a turn holds more than a role and parts', () => {
    const contents = [{ role: 'user', parts: [{ text: 'A' }], extra: 1 }]
    expect(planCache({ contents }, [{ path: 'here', ttl: null, turn: 0, part: 0 }], 'm')).toBeNull()
  })
})

test.each([
  ['gemini-2.5-pro', 'models/gemini-2.5-pro'],
  ['tunedModels/mine', 'tunedModels/mine'],
])('a cache of %s is made for %s', (model, sent) => {
  const place = new CachePlace({ channelId: 1, key: 'k', url: 'https://a.example', model } as never)
  expect(place.head('d', 300)).toMatchObject({ model: sent, ttl: '300s' })
})
