import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useOperation } from '../../gateway/queries.ts'
import { useIsAdministrator } from '../../gateway/use-role.ts'

/** The next missing thing before a tool can be used: a channel, then a token. */
export function NextStep() {
  const { t } = useTranslation()
  const one = { p: 1, page_size: 1 }
  // Only administrators see channels.
  const channels = useOperation('channel.list', one, { enabled: useIsAdministrator() })
  const tokens = useOperation('token.list', one)
  const missing =
    channels.data?.total === 0 ? 'Channel' : tokens.data?.total === 0 ? 'Token' : undefined
  if (!missing) return null
  return (
    <Alert role="note" title={t(`overview.no${missing}Title`)}>
      <Group justify="space-between" gap="sm">
        <Text maw={640}>{t(`overview.no${missing}Hint`)}</Text>
        <Button
          component={Link}
          href={missing === 'Channel' ? '/welcome' : '/connect/tokens?new=1'}
        >
          {t('overview.continueSetup')}
        </Button>
      </Group>
    </Alert>
  )
}
