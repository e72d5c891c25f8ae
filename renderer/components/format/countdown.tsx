import { useSecond } from './use-second.ts'

/** Whole seconds as `0:42` or `1:02:03`. */
export function clockText(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const padded = (value: number) => String(value).padStart(2, '0')
  const rest = padded(seconds % 60)
  return hours > 0 ? `${hours}:${padded(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** Counts down to `until` and stays at 0:00. Hidden from screen readers. */
export function Countdown({ until }: { until: number }) {
  const now = useSecond()
  return (
    <span role="timer" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {clockText(Math.max(0, Math.ceil((until - now) / 1000)))}
    </span>
  )
}
