import { useTranslation } from 'react-i18next'
import { type Format, useFormat } from '../../../components/format/use-format.ts'
import type { UsageFigure } from './task.ts'

interface RunFiguresProps {
  /** Milliseconds. */
  duration: number | null
  usage: readonly UsageFigure[]
  /** Further facts of the result, such as its size. */
  notes?: readonly string[] | undefined
}

/** Unknown figures are left out. */
export function RunFigures({ duration, usage, notes = [] }: RunFiguresProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const inWords = (figure: UsageFigure): string => {
    if (figure.kind !== 'tokens') return t(`tasks.${figure.kind}`, { count: figure.count })
    return t('playground.tokens', wordsOf(figure, format))
  }
  return (
    <>
      {duration !== null && <span>{format.duration(duration)}</span>}
      {usage.map((figure) => (
        <span key={figure.kind}>{inWords(figure)}</span>
      ))}
      {notes.map((note) => (
        <span key={note}>{note}</span>
      ))}
    </>
  )
}

const wordsOf = ({ input, output }: { input: number; output: number }, format: Format) => ({
  input: format.count(input),
  output: format.count(output),
})
