import type { Usage } from '../exchange.ts'

/**
 * OpenAI's formats count the cached parts within the prompt, so they are never more than it: a vendor that tells what
 * it read as newly written too counts these tokens once. One whose `total` has room for the cached parts beside the
 * prompt leaves them out of it.
 */
export function withinPrompt<Counts extends Usage>(
  usage: Counts,
  total: number | undefined,
): Counts {
  const { input, cachedInput, cacheWrite, output } = usage
  const cached = cachedInput + cacheWrite
  if (cached <= input) return usage
  if (total !== undefined && total >= input + cached + output) {
    return { ...usage, input: input + cached }
  }
  const read = Math.min(cachedInput, input)
  return { ...usage, cachedInput: read, cacheWrite: Math.min(cacheWrite, input - read) }
}
