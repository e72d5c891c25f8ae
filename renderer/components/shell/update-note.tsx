import { Alert, Anchor, Group, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import { roles, useRole } from '../../gateway/use-role.ts'

const settingsPath = '/settings/desktop'

/** Owner only. Once dismissed it stays hidden until the next version. */
export function UpdateNote() {
  const { t } = useTranslation()
  const [location] = useLocation()
  const [putAway, setPutAway] = useLocalStorage({
    key: 'switchyard-update-put-away',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const desktop = useOperation('desktop.get', {}, { enabled: useRole() >= roles.owner })
  useRefreshOn('server', [['desktop.get']])
  const version = desktop.data?.update?.newer?.version
  if (!version || version === putAway || location === settingsPath) return null
  return (
    <Alert
      color="blue"
      role="status"
      m="md"
      mb={0}
      icon={<IconDownload size={16} />}
      withCloseButton
      closeButtonLabel={t('common.close')}
      onClose={() => setPutAway(version)}
    >
      <Group gap="4px 12px">
        <Text style={{ overflowWrap: 'anywhere' }}>{t('desktop.newer', { version })}</Text>
        <Anchor component={Link} href={settingsPath} c="inherit" td="underline">
          {t('health.details')}
        </Anchor>
      </Group>
    </Alert>
  )
}
