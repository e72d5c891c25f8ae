/** From here on nobody counts in seconds. */
const MINUTES_FROM = 120

/** `45 seconds`, `5 minutes`: a time to wait, never shorter than it is. The console says the same by `seconds`. */
export function waitText(seconds: number): string {
  if (seconds < MINUTES_FROM) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return `${Math.ceil(seconds / 60)} minutes`
}
