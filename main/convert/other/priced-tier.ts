import type { PricedTier } from '../exchange.ts'

const tiers = new Set<unknown>(['fast', 'priority', 'ultrafast', 'flex'] satisfies PricedTier[])

/** The tier that a vendor names, as a usage has it: nothing for the standard tier, and for words of other meaning. */
export const pricedTier = (word: unknown): { tier?: PricedTier } =>
  tiers.has(word) ? { tier: word as PricedTier } : {}
