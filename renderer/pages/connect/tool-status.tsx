import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ConnectTool } from '../../gateway/records.ts'

const colors = {
  not_found: 'gray',
  elsewhere: 'iris',
  here: 'green',
  changed: 'orange',
  broken: 'red',
} as const

export function ToolStatus({ tool }: { tool: ConnectTool }) {
  const { t } = useTranslation()
  const { status, kind, points_to, problem_reason: reason } = tool
  // Nothing of such a tool can be read, so its status says nothing.
  if (kind === 'instruction' && status !== 'here')
    return <Badge color="gray">{t('connectTools.byHand')}</Badge>
  if (tool.old_address !== null) return <Badge color="orange">{t('connectTools.status_old')}</Badge>
  if (tool.other_gateway !== null)
    return <Badge color="iris">{t('connectTools.status_other')}</Badge>
  if (status === 'elsewhere' && points_to === null)
    return <Badge color="gray">{t('connectTools.status_nowhere')}</Badge>
  const isUnreadable = status === 'broken' && reason?.code === 'tool_file_unreadable'
  const word = isUnreadable ? 'unreadable' : status
  return <Badge color={colors[status]}>{t(`connectTools.status_${word}`)}</Badge>
}
