import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segments } from '../layout/segments.tsx'
import type { CaptureRecord } from './capture-record.ts'

/** The chosen attempt, at first the last; null where none reached an upstream. */
export function useAttempt({ exchanges }: CaptureRecord) {
  const [chosen, setChosen] = useState<number | null>(null)
  const index = Math.min(chosen ?? exchanges.length - 1, exchanges.length - 1)
  const exchange = exchanges[index]
  return { index, exchange: exchange ?? null, choose: setChosen }
}

interface AttemptChoiceProps {
  capture: CaptureRecord
  index: number
  onChange: (index: number) => void
}

/** Chooses one of several attempts; nothing where there is only one. */
export function AttemptChoice({ capture, index, onChange }: AttemptChoiceProps) {
  const { t } = useTranslation()
  if (capture.exchanges.length < 2) return null
  return (
    <Segments
      label={t('inspector.attempt')}
      value={String(index)}
      onChange={(value) => onChange(Number(value))}
      data={capture.exchanges.map(({ channel_name: name, answer, failure }, at) => ({
        value: String(at),
        label: [`${at + 1}. ${name}`, answer?.status ?? failure?.code].filter(Boolean).join(' · '),
      }))}
    />
  )
}
