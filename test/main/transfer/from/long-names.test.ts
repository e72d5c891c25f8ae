import { expect, test } from 'vitest'
import { Carried } from '../../../../main/transfer/from/carried.ts'

test('accounts of one long name become channels whose names differ and can be stored', () => {
  const carried = new Carried()
  const vendor = { name: 'OpenAI', type: 1, base_url: null, needsKey: true }
  for (const key of ['key-1', 'key-2', 'key-3'])
    carried.add({ name: 'n'.repeat(300), vendor, keys: [{ key }], models: ['m'] })
  const names = carried.foreign().transfer.channels?.map(({ name }) => name) ?? []
  expect(new Set(names).size).toBe(3)
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(200)
})
