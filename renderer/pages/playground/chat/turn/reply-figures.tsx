import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '../../../../components/format/use-format.ts'
import { CopyAs } from '../../../calls/inspector/capture/copy-as.tsx'
import { LossText } from '../../../calls/loss-text.tsx'
import type { Turn } from '../desk/chat-record.ts'
import styles from './turn.module.css'

type Times = Pick<Turn, 'firstToken' | 'duration'>

/** The gateway’s own times, as Calls shows them; this page’s own until they are booked. */
const timesOf = ({ booked, firstToken, duration }: Turn): Times =>
  typeof booked?.firstToken === 'number'
    ? { firstToken: booked.firstToken, duration: booked.duration ?? null }
    : { firstToken, duration }

/** Output tokens a second from the first token on; null where one of them is not known. */
function rateOf(output: number | null, { firstToken, duration }: Times): number | null {
  if (output === null || firstToken === null || duration === null) return null
  const seconds = (duration - firstToken) / 1000
  return seconds > 0 && output > 0 ? output / seconds : null
}

/** The figures of a reply; a dash for each that is not known. */
export function ReplyFigures({ turn }: { turn: Turn }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { booked, usage, requestId, state } = turn
  if (turn.isEdited) return <span>{t('chat.edited')}</span>
  const times = timesOf(turn)
  // The log counts cached tokens too, and knows what a reply that was cut short came to.
  const input = booked?.input ?? usage?.input ?? null
  const output = booked?.output ?? usage?.output ?? null
  const rate = rateOf(output, times)
  const cost = booked?.quota ?? null
  const figure = (value: number | null, shown: (value: number) => string) =>
    value === null ? '–' : (booked?.estimated ? '≈ ' : '') + shown(value)
  const entries: [string, string][] = [
    [t('chat.firstToken'), format.duration(times.firstToken)],
    [t('chat.rate'), figure(rate, (value) => t('chat.perSecond', { rate: format.amount(value) }))],
    [t('chat.tokensIn'), figure(input, format.count)],
    [t('chat.tokensOut'), figure(output, format.count)],
    [t('chat.cost'), booked?.unpriced ? t('common.unpriced') : figure(cost, format.money)],
    [t('chat.channel'), booked?.channel ?? '–'],
  ]
  return (
    <>
      <dl className={styles.figures}>
        {entries.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {booked !== null && booked.losses.length > 0 && (
        <details className={styles.losses}>
          <summary>{t('chat.losses', { count: booked.losses.length })}</summary>
          <ul>
            {booked.losses.map((loss) => (
              <li key={typeof loss === 'string' ? loss : `${loss.kind} ${loss.path} ${loss.note}`}>
                {typeof loss === 'string' ? loss : <LossText loss={loss} />}
              </li>
            ))}
          </ul>
        </details>
      )}
      {state === 'stopped' && <span>{t('playground.stoppedNote')}</span>}
      {requestId !== null && state !== 'streaming' && (
        <Anchor component={Link} href={`/calls?open=${requestId}`} fz={12}>
          {t('chat.openInspector')}
        </Anchor>
      )}
      {requestId !== null && booked?.hasCapture && <CopyAs requestId={requestId} />}
    </>
  )
}
