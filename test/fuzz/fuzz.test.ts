import { expect, test } from 'vitest'
import { fuzz } from './fuzz-all.ts'

/** Enough to see each kind of fault a few times; `npm run fuzz` tries a hundred thousand. */
const INPUTS = {
  bodies: 1200,
  headers: 400,
  upstream: 1000,
  forms: 250,
  sockets: 250,
  operations: 400,
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
