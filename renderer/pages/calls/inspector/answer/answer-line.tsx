import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../components/format/use-format.ts'
import type { CapturedAnswer } from '../capture/capture-record.ts'

/** Status and times of an answer; one that broke off says so. */
export function AnswerLine({ answer }: { answer: CapturedAnswer }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { status, at, ended_at: endedAt, is_cut: isCut } = answer
  const from = format.duration(at)
  const to = format.duration(endedAt)
  return (
    <>
      <Badge color={status >= 400 ? 'red' : 'green'} ff="monospace">
        {status}
      </Badge>{' '}
      {isCut && <Badge color="orange">{t('inspector.cut')}</Badge>}{' '}
      {endedAt === null
        ? t('inspector.stillComing', { from })
        : from === to
          ? from
          : t('inspector.fromTo', { from, to })}
    </>
  )
}
