import { Badge, Group, Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TokenRecord } from '../../gateway/records.ts'

/** The table gives the column no more than its narrowest badge, and would cut the others. */
const whole = { color: 'gray', miw: 'max-content' }

export function TokenLimits({ token }: { token: TokenRecord }) {
  const { t } = useTranslation()
  const { requests_per_minute: requests, tokens_per_minute: tokens } = token
  const models = token.model_limits.split(',').filter((model) => model !== '')
  const aliases = Object.entries(token.model_aliases)
  return (
    <Group gap={4}>
      {token.model_limits_enabled && (
        <Tooltip label={models.join(', ') || '–'} multiline maw={320}>
          <Badge {...whole}>{t('tokens.limitedModels', { count: models.length })}</Badge>
        </Tooltip>
      )}
      {aliases.length > 0 && (
        <Tooltip label={aliases.map((names) => names.join(' → ')).join(', ')} multiline maw={320}>
          <Badge {...whole}>{t('tokens.aliases', { count: aliases.length })}</Badge>
        </Tooltip>
      )}
      {token.allow_ips && (
        <Tooltip label={token.allow_ips.replaceAll('\n', ', ')} multiline maw={320}>
          <Badge {...whole}>{t('tokens.limitedIps')}</Badge>
        </Tooltip>
      )}
      {requests !== null && (
        <Badge {...whole}>{t('tokens.limitedRequests', { count: requests })}</Badge>
      )}
      {tokens !== null && <Badge {...whole}>{t('tokens.limitedTokens', { count: tokens })}</Badge>}
    </Group>
  )
}
