import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '../../components/format/use-format.ts'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import { useIsShared } from '../../gateway/use-is-shared.ts'

export function LowBalance() {
  const { t } = useTranslation()
  const format = useFormat()
  const self = useOperation('user.self', {}).data
  const isShared = useIsShared()
  useRefreshOn('calls', isShared ? [['user.self']] : [])
  if (!isShared || !self?.quota_warning) return null
  const isSpent = self.quota <= 0
  return (
    <Alert
      role="note"
      color="yellow"
      title={
        isSpent
          ? t('overview.balanceSpent')
          : t('overview.balanceLow', { left: format.money(self.quota) })
      }
    >
      <Group justify="space-between" gap="sm">
        <Text maw={640}>
          {t(isSpent ? 'overview.balanceSpentHint' : 'overview.balanceLowHint')}
        </Text>
        <Button component={Link} href="/redeem" variant="default">
          {t('overview.topUp')}
        </Button>
      </Group>
    </Alert>
  )
}
