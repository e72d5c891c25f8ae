import { Badge, Tooltip } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { UserRecord } from '../../gateway/records.ts'

const enabled = 1

export function UserState({ user }: { user: UserRecord }) {
  const { t } = useTranslation()
  return (
    <>
      {user.two_factor_enabled && (
        <Tooltip label={t('users.twoFactor')}>
          <IconShieldLock size={14} role="img" aria-label={t('users.twoFactor')} />
        </Tooltip>
      )}
      {user.remark && (
        <Tooltip label={user.remark} multiline maw={320}>
          <Badge color="gray">{t('users.remarkBadge')}</Badge>
        </Tooltip>
      )}
      {user.status !== enabled && <Badge color="orange">{t('users.disabled')}</Badge>}
    </>
  )
}
