import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useOperation } from '../../gateway/queries.ts'
import { useIsAdministrator } from '../../gateway/use-role.ts'

/** What is still missing before a tool can be answered: a channel, then a token. */
export function NextStep() {
  const { t } = useTranslation()
  const one = { p: 1, page_size: 1 }
  // Channels are an administrator's to see; who is none is only asked for a token.
  const channels = useOperation('channel.list', one, { enabled: useIsAdministrator() })
  const tokens = useOperation('token.list', one)
  const missing =
    channels.data?.total === 0 ? 'Channel' : tokens.data?.total === 0 ? 'Token' : undefined
  if (!missing) return null
  return (
    <Alert role="note" title={t(`overview.no${missing}Title`)}>
      <Group justify="space-between" gap="sm">
        <Text maw={640}>{t(`overview.no${missing}Hint`)}</Text>
        <Button component={Link} href={missing === 'Channel' ? '/welcome' : '/tokens?new=1'}>
          {t('overview.continueSetup')}
        </Button>
      </Group>
    </Alert>
  )
}
