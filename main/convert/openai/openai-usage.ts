import type { Usage } from '../exchange.ts'

/**
 * OpenAI's formats count the cached parts within the prompt, so they are never more than it: a vendor that tells what
 * it read as newly written too counts these tokens once. One that read more than its prompt leaves the cached parts
 * out of it, as Azure does for Grok, and so does one whose `total` has room for them beside the prompt.
 */
export function withinPrompt<Counts extends Usage>(
  usage: Counts,
  total: number | undefined,
): Counts {
  const { input, cachedInput, cacheWrite, output } = usage
  const cached = cachedInput + cacheWrite
  if (cached <= input) return usage
  const isBeside = cachedInput > input || (total !== undefined && total >= input + cached + output)
  return isBeside
    ? { ...usage, input: input + cached }
    : { ...usage, cacheWrite: input - cachedInput }
}
