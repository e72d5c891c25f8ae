import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../../components/actions/copy-text.tsx'
import { useFormat } from '../../../../components/format/use-format.ts'
import { JsonTree } from '../body/json-tree.tsx'
import { parseTree } from '../body/parse-tree.ts'
import { RawText } from '../body/raw-text.tsx'
import type { CapturedEvent } from '../capture/capture-record.ts'
import styles from './stream.module.css'

interface EventDetailProps {
  event: CapturedEvent
  /** From 1. */
  number: number
  side: 'upstream' | 'client'
  /** Numbers of the other side's events that belong to it; null where that isn't known. */
  others: readonly number[] | null
}

/** Numbers that are listed. */
const MOST = 12

/** The chosen event, whole. */
export function EventDetail({ event, number, side, others }: EventDetailProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const tree = useMemo(() => parseTree(event.data), [event.data])
  const list = others?.slice(0, MOST).join(', ')
  return (
    <section className={styles.detail} aria-label={t('inspector.eventNumber', { number })}>
      <div className={styles.line}>
        <strong>
          {t(`inspector.${side}`)} · {t('inspector.eventNumber', { number })}
        </strong>
        {event.event && <span className={styles.at}>{event.event}</span>}
        <span>{format.duration(event.at)}</span>
        <CopyText value={event.data} label={t('inspector.data')}>
          {t('common.copy')}
        </CopyText>
        {others && (
          <span className={styles.quiet}>
            {others.length === 0
              ? t(side === 'client' ? 'inspector.fromNone' : 'inspector.becameNone')
              : t(side === 'client' ? 'inspector.cameFrom' : 'inspector.became', {
                  count: others.length,
                  list: others.length > MOST ? `${list}, …` : list,
                })}
          </span>
        )}
      </div>
      {tree ? (
        <JsonTree tree={tree} label={t('inspector.data')} maxHeight={260} />
      ) : (
        <RawText text={event.data} label={t('inspector.data')} />
      )}
    </section>
  )
}
