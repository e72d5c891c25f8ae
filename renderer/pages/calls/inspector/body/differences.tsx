import { Badge, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../../preload/contract.ts'
import { CopyText } from '../../../../components/actions/copy-text.tsx'
import { QueryView } from '../../../../components/feedback/query-view.tsx'
import { useOperation } from '../../../../gateway/queries.ts'
import { useSentence } from '../../../../i18n/use-sentence.ts'
import { lossNote } from '../../loss-facts.ts'
import styles from './differences.module.css'
import { FoldedText } from './folded-text.tsx'

type Difference = OperationOutput<'capture.diff'>
type Change = Difference['changes'][number]

interface DifferencesProps {
  requestId: string
  exchange: number
  side: 'request' | 'answer'
}

/** Status of a comparison that these bodies don't allow. */
const NOTHING_TO_COMPARE = 409

/** The differences between the two sides, each with the loss that explains it. */
export function Differences({ requestId, exchange, side }: DifferencesProps) {
  const { t } = useTranslation()
  const say = useSentence()
  const query = useOperation('capture.diff', { request_id: requestId, exchange, side })
  if (query.error?.status === NOTHING_TO_COMPARE) {
    return (
      <Text c="dimmed" p={8}>
        {say(query.error)}
      </Text>
    )
  }
  return (
    <QueryView query={query} verb={t('inspector.comparing')}>
      {({ changes, losses }) => {
        const pinned = new Set(changes.flatMap(({ loss }) => (loss ? [loss.note] : [])))
        const rest = losses.filter(({ note }) => !pinned.has(note))
        return (
          <div className={styles.all}>
            {changes.length === 0 && rest.length === 0 && (
              <Text c="dimmed">{t('inspector.noDifference')}</Text>
            )}
            <ChangeList changes={changes} from={side === 'request' ? 'client' : 'upstream'} />
            {rest.length > 0 && (
              <>
                <div className={styles.title}>{t('inspector.otherLosses')}</div>
                <ul className={styles.list}>
                  {rest.map((loss) => (
                    <li key={`${loss.path} ${loss.note}`} className={styles.change}>
                      <div className={styles.head}>
                        <span className={styles.path} data-lost>
                          {loss.path}
                        </span>
                        <Badge color="orange">{t(`inspector.loss_${loss.kind}`)}</Badge>
                      </div>
                      <div className={styles.reason}>{say(lossNote(loss))}</div>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </div>
        )
      }}
    </QueryView>
  )
}

const colors = { added: 'green', removed: 'red', changed: 'iris' } as const

function ChangeList({ changes, from }: { changes: Change[]; from: 'client' | 'upstream' }) {
  const { t } = useTranslation()
  const say = useSentence()
  const names = useMemo(() => {
    const client = t('inspector.client')
    const upstream = t('inspector.upstream')
    return from === 'client' ? [client, upstream] : [upstream, client]
  }, [from, t])
  if (changes.length === 0) return null
  return (
    <ul className={styles.list} aria-label={t('inspector.differences')}>
      {changes.map((change) => (
        <li key={`${change.kind} ${change.path}`} className={styles.change}>
          <div className={styles.head}>
            <span data-lost={change.loss ? true : undefined} className={styles.path}>
              {change.path === '' ? (
                t('inspector.wholeBody')
              ) : (
                <CopyText value={change.path} label={t('inspector.path')} wraps />
              )}
            </span>
            <Badge color={colors[change.kind]}>{t(`inspector.change_${change.kind}`)}</Badge>
            {change.loss && <Badge color="orange">{t(`inspector.loss_${change.loss.kind}`)}</Badge>}
          </div>
          {change.loss && <div className={styles.reason}>{say(lossNote(change.loss))}</div>}
          <dl className={styles.sides}>
            {[change.from, change.to].map(
              (value, index) =>
                value !== null && (
                  <div key={names[index]} data-side={index === 0 ? 'from' : 'to'}>
                    <dt>{names[index]}</dt>
                    <dd>
                      <FoldedText text={value} label={`${names[index]} ${change.path}`} />
                    </dd>
                  </div>
                ),
            )}
          </dl>
        </li>
      ))}
    </ul>
  )
}
