/** Unix seconds as a field of date and time holds them: `2026-01-31T12:00`, in local time. */
export function toLocalInput(seconds: number): string {
  const date = new Date(seconds * 1000)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** What such a field holds as unix seconds. */
export const fromLocalInput = (text: string): number => Math.floor(Date.parse(text) / 1000)
