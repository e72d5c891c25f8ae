import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../components/format/use-format.ts'
import { useSentence } from '../../../../i18n/use-sentence.ts'
import type { Column } from '../desk/chat-record.ts'
import styles from './column.module.css'
import { useEstimate } from './use-estimate.ts'

/** Before sending: input tokens, range of cost, and what a budget says. */
export function ColumnEstimate({ column }: { column: Column }) {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  const state = useEstimate(column)
  if (state === 'none') return null
  if (state === 'waiting') return <p className={styles.estimate}>{t('chat.estimating')}</p>
  if ('problem' in state) return <p className={styles.refusal}>{state.problem}</p>
  const {
    cost,
    left,
    refusal,
    refusal_reason: reason,
    losses,
    input_tokens: input,
  } = state.estimate
  const range =
    cost === null
      ? t('common.unpriced')
      : cost.most === null
        ? t('chat.costFrom', { least: format.money(cost.least) })
        : t('chat.costRange', { least: format.money(cost.least), most: format.money(cost.most) })
  return (
    <div className={styles.estimate}>
      <span>{t('chat.estimatedInput', { count: input, tokens: format.count(input) })}</span>
      <span>{range}</span>
      <span>
        {left === null ? t('chat.noLimit') : t('chat.left', { amount: format.money(left) })}
      </span>
      {refusal !== null && <p className={styles.refusal}>{say({ message: refusal, reason })}</p>}
      {losses.length > 0 && (
        <span>{t('chat.willLose', { fields: format.list(losses.map(({ path }) => path)) })}</span>
      )}
    </div>
  )
}
