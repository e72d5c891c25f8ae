import type { OperationOutput } from '../../../preload/contract.ts'
import { useFormat } from '../../components/format/use-format.ts'
import styles from './overview.module.css'

export type RecentCalls = OperationOutput<'channel.recent'>

interface MinuteBarsProps {
  recent: RecentCalls
  /** None when the channel had no calls. */
  counts: RecentCalls['channels'][number] | undefined
}

/** A bar a minute, the newest on the right; the words beside it say the sum. */
export function MinuteBars({ recent, counts }: MinuteBarsProps) {
  const format = useFormat()
  const { start, step, steps, known_from: knownFrom } = recent
  const most = Math.max(1, ...(counts?.calls ?? []))
  const times = Array.from({ length: steps }, (_, index) => start + index * step)
  return (
    <span className={styles.bars} aria-hidden>
      {times.map((time, index) => {
        const calls = counts?.calls[index] ?? 0
        const errors = counts?.errors[index] ?? 0
        return (
          <span
            key={time}
            className={styles.bar}
            title={`${format.time(time)}: ${format.count(calls)}`}
            data-calls={calls > 0 || undefined}
            data-unknown={time + step <= knownFrom || undefined}
            style={calls > 0 ? { height: `${(calls / most) * 100}%` } : undefined}
          >
            {errors > 0 && (
              <span className={styles.failed} style={{ height: `${(errors / calls) * 100}%` }} />
            )}
          </span>
        )
      })}
    </span>
  )
}
