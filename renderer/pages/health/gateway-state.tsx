import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ProblemList } from '../../components/gateway-health/problem-list.tsx'
import { withoutBanner } from '../../components/shell/gateway-banner.tsx'
import type { GatewayHealth } from '../../gateway/records.ts'

const colors = { ok: 'green', warning: 'orange', failing: 'red' } as const

export function GatewayState({ health }: { health: GatewayHealth }) {
  const { t } = useTranslation()
  const { status } = health
  const warnings = withoutBanner(health.warnings)
  return (
    <Alert
      color={colors[status]}
      role="status"
      title={t(`health.status_${status}`)}
      icon={status === 'ok' ? <IconCircleCheck size={16} /> : <IconAlertTriangle size={16} />}
    >
      {warnings.length === 0 ? (
        <Text c="dimmed">{t(status === 'ok' ? 'health.status_okHint' : 'health.inBanner')}</Text>
      ) : (
        <ProblemList problems={warnings} />
      )}
    </Alert>
  )
}
