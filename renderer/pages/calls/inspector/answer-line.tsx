import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import type { CapturedAnswer } from './capture/capture-record.ts'

/** Status and times of an answer; one that broke off says so. */
export function AnswerLine({ answer }: { answer: CapturedAnswer }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { status, at, ended_at: endedAt, is_cut: isCut } = answer
  return (
    <>
      <Badge color={status >= 400 ? 'red' : 'green'} ff="monospace">
        {status}
      </Badge>{' '}
      {isCut && <Badge color="orange">{t('inspector.cut')}</Badge>}{' '}
      {endedAt === null
        ? t('inspector.stillComing', { from: format.duration(at) })
        : t('inspector.fromTo', { from: format.duration(at), to: format.duration(endedAt) })}
    </>
  )
}
