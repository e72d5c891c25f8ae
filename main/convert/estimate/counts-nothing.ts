import type { Usage } from '../exchange.ts'

/**
 * Does a usage say that nothing was read and nothing written? Some upstreams fill in zeros for what they don't know:
 * where the answer has words it's no better than none.
 */
export const countsNothing = ({ input, output, cachedInput, cacheWrite, detail }: Usage): boolean =>
  input + output + cachedInput + cacheWrite === 0 && detail === undefined
