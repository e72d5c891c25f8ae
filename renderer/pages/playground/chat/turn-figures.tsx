import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import type { Turn } from './conversation-state.ts'

/** Unknown figures are left out. */
export function TurnFigures({ turn }: { turn: Turn }) {
  const { t } = useTranslation()
  const format = useFormat()
  const figures = [
    turn.state === 'stopped' && t('playground.stoppedNote'),
    turn.usage &&
      t('playground.tokens', {
        input: format.count(turn.usage.input),
        output: format.count(turn.usage.output),
      }),
    turn.firstToken !== null &&
      t('playground.firstToken', { time: format.duration(turn.firstToken) }),
    turn.duration !== null &&
      turn.state === 'done' &&
      t('playground.total', { time: format.duration(turn.duration) }),
  ]
  return (
    <>
      {figures.filter(Boolean).map((figure) => (
        <span key={String(figure)}>{figure}</span>
      ))}
    </>
  )
}
