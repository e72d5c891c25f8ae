import type { GatewayError } from '../base/errors.ts'
import type { Settings } from '../store/settings.ts'

const parsed = new Map<string, (status: number) => boolean>()

/** A test for a list of statuses and ranges: `401,500-503`. */
export function statusMatcher(list: string): (status: number) => boolean {
  let matcher = parsed.get(list)
  if (!matcher) {
    const ranges = list
      .split(',')
      .map((part) => part.trim().split('-').map(Number))
      .filter((range) => range.length > 0 && range.every(Number.isInteger))
    matcher = (status) => ranges.some(([low = 0, high = low]) => status >= low && status <= high)
    parsed.set(list, matcher)
  }
  return matcher
}

/** Never worth another channel: the body is at fault, or (408) the client was too slow. */
const FINAL = new Set([400, 408])
const SLOW = new Set([504, 524])

/** May another channel be tried after this upstream status (management-api §13.4)? */
export function retriesStatus(status: number, settings: Readonly<Settings>): boolean {
  if (FINAL.has(status)) return false
  if (SLOW.has(status)) return settings.RetryOnTimeout
  return statusMatcher(settings.AutomaticRetryStatusCodes)(status)
}

/** May another channel be tried after this failure of our own making? */
export function retriesFailure(error: GatewayError, settings: Readonly<Settings>): boolean {
  if (error.code === 'client_gone' || error.code === 'shutting_down') return false
  if (error.code === 'upstream_timeout') return settings.RetryOnTimeout
  // An error that came with status 200 is judged by the status it stands for.
  if (error.code === 'upstream_error') return retriesStatus(error.status, settings)
  return true
}
