import type { CallFormat } from '../../convert/call-format.ts'
import { traitsOf } from '../../convert/codecs.ts'

/** The rest of a limit. */
export interface RateFigures {
  limit: number
  /** May be below 0 where more was used than was expected. */
  remaining: number
  /** Milliseconds until all of it is there again. */
  reset: number
}

/** As OpenAI writes a duration, https://platform.openai.com/docs/guides/rate-limits: `120ms`, `1.5s`, `6m0s`. */
function duration(milliseconds: number): string {
  const whole = Math.ceil(milliseconds)
  if (whole < 1000) return `${whole}ms`
  const minutes = Math.floor(whole / 60_000)
  const seconds = (whole % 60_000) / 1000
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`
}

const inTime = (milliseconds: number): string =>
  new Date(Date.now() + Math.ceil(milliseconds)).toISOString()

/**
 * The gateway's own limits in the headers in which clients look for a vendor's: Anthropic's
 * (https://docs.anthropic.com/en/api/rate-limits) or OpenAI's; Google has none. A limit that is null has no headers.
 */
export function rateHeaders(
  format: CallFormat,
  figures: Readonly<Record<'requests' | 'tokens', RateFigures | null>>,
): Record<string, string> {
  const headers: Record<string, string> = {}
  const { rateHeaders: style } = traitsOf(format)
  if (style === null) return headers
  for (const kind of ['requests', 'tokens'] as const) {
    const one = figures[kind]
    if (!one) continue
    const isAnthropic = style === 'anthropic'
    const name = (what: string) =>
      isAnthropic ? `anthropic-ratelimit-${kind}-${what}` : `x-ratelimit-${what}-${kind}`
    headers[name('limit')] = String(one.limit)
    headers[name('remaining')] = String(Math.max(0, one.remaining))
    headers[name('reset')] = isAnthropic ? inTime(one.reset) : duration(one.reset)
  }
  return headers
}
