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
