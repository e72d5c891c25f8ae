import { Badge, Group, Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TokenRecord } from '../../gateway/records.ts'

export function TokenLimits({ token }: { token: TokenRecord }) {
  const { t } = useTranslation()
  const { requests_per_minute: requests, tokens_per_minute: tokens } = token
  const models = token.model_limits.split(',').filter((model) => model !== '')
  return (
    <Group gap={4}>
      {token.model_limits_enabled && (
        <Tooltip label={models.join(', ') || '–'} multiline maw={320}>
          <Badge color="gray">{t('tokens.limitedModels', { count: models.length })}</Badge>
        </Tooltip>
      )}
      {token.allow_ips && (
        <Tooltip label={token.allow_ips.replaceAll('\n', ', ')} multiline maw={320}>
          <Badge color="gray">{t('tokens.limitedIps')}</Badge>
        </Tooltip>
      )}
      {requests !== null && (
        <Badge color="gray">{t('tokens.limitedRequests', { count: requests })}</Badge>
      )}
      {tokens !== null && (
        <Badge color="gray">{t('tokens.limitedTokens', { count: tokens })}</Badge>
      )}
    </Group>
  )
}
