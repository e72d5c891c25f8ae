import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '../../../components/format/use-format.ts'
import type { BookedFigures } from './booked-figures.ts'

interface BookedNotesProps {
  requestId: string | null
  booked: BookedFigures | null
}

/** Cost and channel of a call, and the way to it in the inspector. */
export function BookedNotes({ requestId, booked }: BookedNotesProps) {
  const { t } = useTranslation()
  const format = useFormat()
  if (requestId === null) return null
  const about = booked?.estimated ? '≈ ' : ''
  const money = format.money(booked?.quota)
  const cost = booked?.unpriced ? t('common.unpriced') : money === '–' ? money : about + money
  return (
    <>
      <span>
        {t('chat.cost')} {cost}
      </span>
      <span>
        {t('chat.channel')} {booked?.channel ?? '–'}
      </span>
      <Anchor component={Link} href={`/calls?open=${requestId}`} fz={12}>
        {t('chat.openInspector')}
      </Anchor>
    </>
  )
}
