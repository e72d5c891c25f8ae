import { Anchor, Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '../../components/format/use-format.ts'
import { useSumCost } from '../../components/format/use-sum-cost.ts'
import type { CacheFinding, SessionCall, SessionPart } from '../../gateway/records.ts'
import { useSentence } from '../../i18n/use-sentence.ts'
import { CacheNote } from './cache-note.tsx'
import styles from './sessions.module.css'
import { TurnPart } from './turn-part.tsx'

interface SessionTurnProps {
  call: SessionCall
  /** From 1. */
  number: number
  /** Results of tools by the parts that called them. */
  results: ReadonlyMap<SessionPart, SessionPart>
  finding: CacheFinding | null
}

const isFailure = ({ status }: SessionCall) => status >= 400 || status === 0

/** Of a call that failed before anything was counted, 0 would be a number that nobody reported. */
const isCounted = (call: SessionCall) =>
  !isFailure(call) || call.prompt_tokens + call.completion_tokens > 0

export function SessionTurn({ call, number, results, finding }: SessionTurnProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  const problem = call.problem && say({ message: call.problem, reason: call.reason })
  const placed = new Set(results.values())
  const shown = (call.input ?? []).filter((part) => !placed.has(part))
  const answered = call.output ?? []
  const isFailed = isFailure(call)
  // What came of an answer may end with the same error.
  const isToldAlready = answered.some(({ role, text }) => role === 'error' && text === call.error)
  return (
    <li className={styles.turn} data-kind={call.kind}>
      <div className={styles.turnHead}>
        <Anchor
          component={Link}
          href={`/calls?open=${encodeURIComponent(call.request_id)}`}
          aria-label={t('sessions.openCall', { number })}
          title={call.request_id}
        >
          #{number}
        </Anchor>
        <span className={styles.time} title={format.fullTime(call.created_at)}>
          {format.time(call.created_at)}
        </span>
        {call.kind !== 'main' && (
          <Badge color="gray" title={call.agent ?? undefined}>
            {t(`sessions.kind_${call.kind}`)}
          </Badge>
        )}
        {isFailed && (
          <Badge color="red" ff="monospace">
            {call.status || '–'}
          </Badge>
        )}
        <span className="mono">{call.model_name}</span>
        <span>{format.duration(call.use_time_ms)}</span>
      </div>
      <div className={styles.said}>
        {call.input === null && (
          <p className={styles.missing}>{problem ?? t('sessions.notCaptured')}</p>
        )}
        {[...shown, ...answered].map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a call that is over never move
          <TurnPart key={index} part={part} result={results.get(part) ?? null} />
        ))}
        {call.input !== null && problem && <p className={styles.missing}>{problem}</p>}
        {call.error !== '' && !isToldAlready && <p className={styles.error}>{call.error}</p>}
      </div>
      <div className={styles.side}>
        <TurnFigures call={call} />
        {finding && <CacheNote finding={finding} />}
      </div>
    </li>
  )
}

function TurnFigures({ call }: { call: SessionCall }) {
  const { t } = useTranslation()
  const format = useFormat()
  const about = call.is_estimated ? '≈ ' : ''
  const counted = (figure: string) => (isCounted(call) ? figure : '–')
  // An estimate counts no cached tokens: 0 % would be a miss that nobody reported.
  const isCacheKnown = !call.is_estimated || call.cached_tokens + call.cache_write_tokens > 0
  const share =
    isCacheKnown && call.prompt_tokens > 0 ? call.cached_tokens / call.prompt_tokens : null
  const { costOf } = useSumCost()
  const soFar = {
    ...{ quota: call.quota_so_far, unpriced: call.unpriced_so_far },
    estimated: call.estimated_so_far,
  }
  const entries = [
    [t('sessions.input'), counted(about + format.count(call.prompt_tokens))],
    [t('sessions.cached'), format.percent(share)],
    [t('sessions.output'), counted(about + format.count(call.completion_tokens))],
    [
      t('sessions.cost'),
      call.is_unpriced ? t('common.unpriced') : counted(about + format.money(call.quota)),
    ],
    [t('sessions.soFar'), costOf(soFar)],
  ] as const
  return (
    <dl className={styles.figures}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
