import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listedPrice, priceTable } from '../../../../main/relay/pricing/price-table.ts'

const price = z.number().min(0).max(1000)
const rates = {
  input: price,
  output: price,
  cachedInput: price.optional(),
  cacheWrite: price.optional(),
  audioInput: price.optional(),
  audioOutput: price.optional(),
  imageInput: price.optional(),
  imageOutput: price.optional(),
}
const each = z.number().positive().max(1).optional()
const units = { second: each, character: each, image: each, search: each, request: each }
const tiers = z
  .partialRecord(z.enum(['fast', 'priority', 'ultrafast', 'flex']), z.number().positive().max(10))
  .optional()
const names = z.string().regex(/^[a-z0-9][a-z0-9.-]*$/)
const named = { model: names, aliases: z.array(names).min(1).optional() }
const model = z.union([
  z.strictObject({
    ...named,
    ...rates,
    ...units,
    cacheStorage: z.number().positive().max(10).optional(),
    tiers,
    long: z.strictObject({ ...rates, above: z.int().min(50_000) }).optional(),
    from: z.strictObject(rates).partial().extend({ day: z.iso.date(), tiers }).optional(),
  }),
  z.strictObject({ ...named, ...units }),
])
const family = z.strictObject({
  vendor: z.string().min(1),
  channelTypes: z.array(z.int()),
  page: z.url({ protocol: /^https$/ }),
  asOf: z.iso.date(),
  checked: z.boolean(),
  paths: z.array(z.string().regex(/\/$/)),
  endings: z.array(z.string().min(1)),
  webSearch: z.number().positive().optional(),
  tiers,
  peak: z
    .strictObject({
      factor: z.number().positive(),
      days: z.array(z.int().min(0).max(6)),
      hours: z.array(z.int().min(0).max(23)),
    })
    .optional(),
  models: z.array(model).min(1),
})

const rows = priceTable.families.flatMap((one) => one.models)

describe('the price table', () => {
  test('has the shape that it is read as', () => {
    expect(() => z.strictObject({ families: z.array(family) }).parse(priceTable)).not.toThrow()
  })

  test('names every model once', () => {
    const all = rows.flatMap((row) => [row.model, ...(row.aliases ?? [])])
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([])
  })

  test('asks no more for what is cached than for what is read anew, and less only for writing it', () => {
    for (const row of rows) {
      for (const one of [row, row.long]) {
        const { input = 0, cachedInput = 0, cacheWrite = input } = one ?? {}
        expect(cachedInput, row.model).toBeLessThanOrEqual(input)
        expect(cacheWrite, row.model).toBeGreaterThanOrEqual(input)
        expect(cacheWrite, row.model).toBeLessThanOrEqual(input * 1.3)
      }
    }
  })

  test('asks more for a longer prompt, in everything that it asks for', () => {
    for (const { model: name, long, ...row } of rows) {
      if (!long) continue
      expect(long.input, name).toBeGreaterThan(row.input ?? 0)
      expect(long.output, name).toBeGreaterThan(row.output ?? 0)
      expect(long.cachedInput === undefined, name).toBe(row.cachedInput === undefined)
      expect(long.cacheWrite === undefined, name).toBe(row.cacheWrite === undefined)
    }
  })
})

const modelOf = (id: string) => listedPrice(id)?.row.model

describe('a model is found', () => {
  test.each([
    ['gpt-5', 'gpt-5'],
    ['GPT-5', 'gpt-5'],
    ['gpt-5-2025-08-07', 'gpt-5'],
    ['openai/gpt-5', 'gpt-5'],
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-05-13'],
    ['gpt-4o-2024-11-20', 'gpt-4o'],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['claude-3-7-sonnet-latest', 'claude-3-7-sonnet'],
    ['claude-opus-4-6[1m]', 'claude-opus-4-6'],
    ['claude-sonnet-4-5-20250929[1m]', 'claude-sonnet-4-5'],
    ['anthropic/claude-opus-4.5', 'claude-opus-4-5'],
    ['gpt-image-2.5-flare-2026-09-08', 'gpt-image-2.6-sunburst'],
    ['models/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['gemini-2.0-flash-001', 'gemini-2.0-flash'],
    ['MiniMax-M3', 'minimax-m3'],
  ])('%s as %s', (id, name) => {
    expect(modelOf(id)).toBe(name)
  })

  test.each([
    'gpt-5-turbo-of-mine',
    'gpt-55',
    'my-gpt-5',
    'claude-opus-4-5-fast',
    'openai/gpt-5:free',
    'together/gpt-5',
    'anthropic/gpt-5',
    'gpt-5-20250807',
    'gemini-2.5-pro-20250929',
    'constructor',
    '__proto__',
    '',
  ])('%s not at all, however near it sounds', (id) => {
    expect(modelOf(id)).toBeUndefined()
  })
})
