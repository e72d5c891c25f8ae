import { Badge } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../components/format/use-format.ts'
import { useSentence } from '../../../../i18n/use-sentence.ts'
import type { CallPhases, Phase, PhaseGroup } from './call-phases.ts'
import styles from './timeline.module.css'

/** Marks on the axis, at most. */
const MARKS = 6

/** Steps of 1, 2 or 5 times a power of ten that make few marks. */
function marksOf(total: number): number[] {
  if (total <= 0) return [0]
  const rough = total / MARKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough
  return Array.from({ length: Math.floor(total / step) + 1 }, (_, index) => index * step)
}

/** A call's phases as bars on one axis, each with its length. */
export function PhaseChart({ phases, isRunning }: { phases: CallPhases; isRunning: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  const { groups, total } = phases
  const share = (at: number) => `${total === 0 ? 0 : (at / total) * 100}%`
  const marks = marksOf(total)
  return (
    <section className={styles.chart} aria-label={t('inspector.timeline')}>
      <div className={styles.axis} aria-hidden>
        {marks.map((mark) => (
          <span key={mark} className={styles.mark} style={{ left: share(mark) }}>
            {axisText(mark, total)}
          </span>
        ))}
      </div>
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place
        <section key={index} className={styles.group} aria-label={groupName(group, t)}>
          <header className={styles.head}>
            <span className={styles.title}>{groupName(group, t)}</span>
            {group.attempt && (group.attempt.status !== null || group.attempt.failure) && (
              <Badge color={isBad(group) ? 'red' : 'green'}>
                {group.attempt.status ?? t('callRoute.failed')}
              </Badge>
            )}
            {group.attempt?.failure && (
              <span className={styles.failure}>{say(group.attempt.failure)}</span>
            )}
          </header>
          <ol className={styles.phases}>
            {group.phases.map((phase) => (
              <PhaseRow
                key={`${phase.kind} ${phase.from}`}
                phase={phase}
                left={share(phase.from)}
                width={share(phase.to - phase.from)}
              />
            ))}
          </ol>
        </section>
      ))}
      <p className={styles.done}>
        {t(isRunning ? 'inspector.runningFor' : 'inspector.doneAt', {
          time: format.duration(total),
        })}
      </p>
    </section>
  )
}

const isBad = ({ attempt }: PhaseGroup): boolean =>
  attempt !== null && (attempt.failure !== null || (attempt.status ?? 0) >= 400)

const groupName = (group: PhaseGroup, t: TFunction): string =>
  group.kind === 'attempt' && group.attempt
    ? t('inspector.attemptAt', { number: group.attempt.number, name: group.attempt.name })
    : t(group.kind === 'client' ? 'inspector.client' : 'inspector.gateway')

/** One unit on the whole axis. */
const axisText = (mark: number, total: number): string =>
  total < 1000 ? `${Number(mark.toPrecision(6))} ms` : `${Number((mark / 1000).toPrecision(6))} s`

interface PhaseRowProps {
  phase: Phase
  left: string
  width: string
}

function PhaseRow({ phase, left, width }: PhaseRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { kind, from, to, isOpen } = phase
  return (
    <li
      className={styles.phase}
      title={t('inspector.fromTo', { from: exact(from), to: exact(to) })}
    >
      <span className={styles.name}>{t(`inspector.phase_${kind}`)}</span>
      <span className={styles.track} aria-hidden>
        <span
          className={styles.bar}
          data-kind={kind}
          data-open={isOpen || undefined}
          style={{ left, width }}
        />
      </span>
      <span className={styles.length}>
        {to - from < 10 ? `${(to - from).toFixed(1)} ms` : format.duration(to - from)}
        {isOpen && '…'}
      </span>
    </li>
  )
}

const exact = (milliseconds: number): string => `${milliseconds.toFixed(1)} ms`
