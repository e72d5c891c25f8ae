import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import { type CallFacts, readCallFacts } from '../call-facts.ts'
import { CallCost } from '../cells/call-cost.tsx'
import { LossText } from '../loss-text.tsx'
import styles from './replay.module.css'
import type { BookedCall } from './use-booked-call.ts'

/** Output tokens a second from the first token on; null where one of the two is not known. */
export function tokensPerSecond({
  outputTokens,
  firstToken,
  duration,
}: Pick<CallFacts, 'outputTokens' | 'firstToken' | 'duration'>): number | null {
  if (outputTokens === null || firstToken === null || duration === null) return null
  const seconds = (duration - firstToken) / 1000
  return seconds > 0 && outputTokens > 0 ? outputTokens / seconds : null
}

/** Figures of a booked call; a dash for each that is not known. */
export function ReplayFigures({
  call,
  status,
}: {
  call: BookedCall | null
  status: number | null
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const facts = call && readCallFacts(call)
  const rate = facts && tokensPerSecond(facts)
  const about = facts?.estimated ? '≈ ' : ''
  const tokens = (count: number | null | undefined) =>
    count == null ? '–' : about + format.count(count)
  const entries: [string, ReactNode][] = [
    [t('calls.status'), facts?.status ?? status ?? '–'],
    [t('calls.channel'), call?.channel_name || '–'],
    [t('calls.model'), facts?.upstreamModel ?? (call?.model_name || '–')],
    [t('replay.firstToken'), format.duration(facts?.firstToken)],
    [
      t('replay.rate'),
      rate == null ? '–' : about + t('replay.perSecond', { rate: format.amount(rate) }),
    ],
    [t('calls.duration'), format.duration(facts?.duration)],
    [t('calls.input'), tokens(facts?.inputTokens)],
    // An estimate knows the sums alone: a 0 of it is no figure.
    [
      t('calls.cached'),
      tokens(facts?.estimated ? facts.cachedTokens || null : facts?.cachedTokens),
    ],
    [t('calls.output'), tokens(facts?.outputTokens)],
    [t('calls.cost'), facts ? <CallCost key="cost" facts={facts} /> : '–'],
  ]
  return (
    <dl className={styles.figures}>
      {entries.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div className={styles.losses}>
        <dt>{t('calls.losses')}</dt>
        {facts && facts.losses.length === 0 && <dd>{t('replay.noLosses')}</dd>}
        {!facts && <dd>–</dd>}
        {facts?.losses.map((loss) => (
          <dd key={`${loss.kind} ${loss.path}`} className={styles.loss}>
            <LossText loss={loss} />
          </dd>
        ))}
      </div>
    </dl>
  )
}
