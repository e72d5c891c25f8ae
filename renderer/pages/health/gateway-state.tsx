import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ProblemList } from '../../components/gateway-health/problem-list.tsx'
import { codesWithBanner } from '../../components/shell/gateway-banner.tsx'
import type { GatewayHealth } from '../../gateway/records.ts'

const colors = { ok: 'green', warning: 'orange', failing: 'red' } as const

export function GatewayState({ health }: { health: GatewayHealth }) {
  const { t } = useTranslation()
  const { status } = health
  const warnings = health.warnings.filter(({ code }) => !codesWithBanner.includes(code))
  return (
    <Alert
      color={colors[status]}
      role="status"
      title={t(`health.status_${status}`)}
      icon={status === 'ok' ? <IconCircleCheck size={16} /> : <IconAlertTriangle size={16} />}
    >
      {warnings.length === 0 ? (
        status === 'ok' && <Text c="dimmed">{t('health.status_okHint')}</Text>
      ) : (
        <ProblemList problems={warnings} />
      )}
    </Alert>
  )
}
