import { expect, test } from 'vitest'
import { fuzz } from './fuzz-all.ts'

/** Enough to see each kind of fault; `npm run fuzz` tries a hundred thousand. */
const INPUTS = {
  bodies: 500,
  headers: 200,
  upstream: 400,
  forms: 150,
  sockets: 150,
  operations: 250,
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
