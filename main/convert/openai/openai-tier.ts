/** Words for a service tier, those of other vendors by their nearest of OpenAI's. */
const tiers: Readonly<Record<string, string>> = {
  auto: 'auto',
  default: 'default',
  flex: 'flex',
  scale: 'scale',
  priority: 'priority',
  fast: 'fast',
  // Anthropic's, Google's and Groq's words for no special tier.
  standard_only: 'default',
  standard: 'default',
  on_demand: 'default',
}

/** OpenAI's word for a service tier; undefined where it has none. */
export const openaiTier = (tier: string): string | undefined => tiers[tier.toLowerCase()]
