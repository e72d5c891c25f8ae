import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import { useSentence } from '../../../i18n/use-sentence.ts'
import type { CandidateFacts } from '../route-facts.ts'
import styles from './call-route.module.css'

/** The channels that were tried are always among them. */
const shownAtFirst = 5

const reasons = ['pinned', 'affinity', 'only', 'half-open', 'not_in_group', 'format'] as const
const timedReasons = ['open', 'rate_limited'] as const

interface CallCandidatesProps {
  candidates: readonly CandidateFacts[]
  /** How many candidates the gateway left out of the list. */
  more: number
}

/** In the order in which they would have been tried. */
export function CallCandidates({ candidates, more }: CallCandidatesProps) {
  const { t } = useTranslation()
  const [whole, setWhole] = useState(false)
  const shown = whole ? candidates : candidates.slice(0, shownAtFirst)
  if (candidates.length === 0) return null
  return (
    <div>
      <h4 className={styles.subtitle}>{t('callRoute.candidates')}</h4>
      <ul className={styles.candidates}>
        {shown.map((candidate) => (
          <Candidate key={`${candidate.id} ${candidate.model}`} candidate={candidate} />
        ))}
      </ul>
      {shown.length < candidates.length ? (
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setWhole(true)}>
          {t('callRoute.showAll', { count: candidates.length })}
        </Button>
      ) : (
        more > 0 && <div className={styles.quiet}>{t('callRoute.more', { count: more })}</div>
      )}
    </div>
  )
}

/** The channel of a later target gets its place in the order when it is asked. */
const isUnreached = ({ place, why }: CandidateFacts) =>
  place === null && (why === 'only' || why === 'pinned')

function Candidate({ candidate }: { candidate: CandidateFacts }) {
  const { t } = useTranslation()
  const { id, name, model, priority, weight, place, native, reason, coded } = candidate
  const say = useSentence()
  const why = useWhy(candidate)
  return (
    <li className={styles.candidate} data-out={place === null || undefined}>
      <span className={styles.place}>{place === null ? '–' : `${place}.`}</span>
      <div>
        <div className={styles.line}>
          <span className={styles.name}>
            {name} <span className={styles.id}>#{id}</span>
          </span>
          {model && <span className={styles.model}>{model}</span>}
          <span className={styles.quiet}>
            {[
              priority !== null && t('callRoute.priority', { value: priority }),
              weight !== null && t('callRoute.weight', { value: weight }),
              t(native ? 'callRoute.passthrough' : 'callRoute.converted'),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </div>
        {(why || place === null) && (
          <div className={styles.quiet}>
            {[
              place === null &&
                t(isUnreached(candidate) ? 'callRoute.unreached' : 'callRoute.skipped'),
              why,
            ]
              .filter(Boolean)
              .join(': ')}
          </div>
        )}
        {reason && <div className={styles.words}>{say({ message: reason, reason: coded })}</div>}
      </div>
    </li>
  )
}

/** A reason of a newer version shows as its code. */
function useWhy({ why, until }: CandidateFacts): string | null {
  const { t } = useTranslation()
  const format = useFormat()
  const plain = reasons.find((one) => one === why)
  if (plain) return t(`callRoute.why_${plain}`)
  const timed = timedReasons.find((one) => one === why)
  if (!timed) return why
  return until === null
    ? t(`callRoute.why_${timed}`)
    : t(`callRoute.why_${timed}Until`, { time: format.time(until / 1000) })
}
