/** Unix seconds to the value of a `datetime-local` input, such as `2026-01-31T12:00`, in local time. */
export function toLocalInput(seconds: number): string {
  const date = new Date(seconds * 1000)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** The inverse, in unix seconds. */
export const fromLocalInput = (text: string): number => Math.floor(Date.parse(text) / 1000)
