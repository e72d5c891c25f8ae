import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useIsAdministrator } from '../../../../gateway/use-role.ts'

/** Why a call has no upstream's side. */
export function NoUpstream() {
  const { t } = useTranslation()
  const isAdministrator = useIsAdministrator()
  return (
    <Text c="dimmed" p={8}>
      {t(isAdministrator ? 'inspector.neverReached' : 'inspector.onlyAdministrators')}
    </Text>
  )
}
