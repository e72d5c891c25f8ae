import { expect, test } from 'vitest'
import { fuzz } from './fuzz-all.ts'

/** Enough to see each kind of fault; `npm run fuzz` tries a hundred thousand. */
const INPUTS = {
  bodies: 250,
  headers: 100,
  upstream: 200,
  forms: 75,
  sockets: 75,
  operations: 125,
}

test.each(Object.entries(INPUTS))(
  'nearly right %s crash nothing, hang nothing, and are answered in an envelope',
  async (only, inputs) => {
    const { tried, findings } = await fuzz({ inputs, seed: 20261121, only })
    expect(findings).toEqual([])
    expect(tried).toBe(inputs)
  },
  240_000,
)
