/** Unix seconds as a sentence has them: `2026-11-28 23:00 UTC`, with seconds where they aren't 0. */
export function utcTime(time: number): string {
  const [day, clock = ''] = new Date(time * 1000).toISOString().split('T')
  const seconds = clock.slice(5, 8)
  return `${day} ${clock.slice(0, 5)}${seconds === ':00' ? '' : seconds} UTC`
}
