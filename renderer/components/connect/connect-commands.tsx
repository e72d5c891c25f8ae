import { Tabs, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../gateway/queries.ts'
import { Snippet } from '../actions/snippet.tsx'
import { clientTools } from './client-tools.ts'

interface ConnectCommandsProps {
  /** `sk-…` */
  tokenKey: string
  /** Models that the token is limited to; empty for all. */
  limits?: readonly string[]
}

export function ConnectCommands({ tokenKey, limits = [] }: ConnectCommandsProps) {
  const { t } = useTranslation()
  const server = useOperation('server.get', {})
  const models = useOperation('user.models', {})
  const facts = {
    baseUrl: server.data?.url ?? window.location.origin,
    key: tokenKey,
    models: limits.length > 0 ? limits : (models.data ?? []),
    shell: navigator.userAgent.includes('Windows') ? ('powershell' as const) : ('posix' as const),
  }
  return (
    <Tabs defaultValue={clientTools[0]?.id ?? null} keepMounted={false}>
      <Tabs.List aria-label={t('connect.tools')}>
        {clientTools.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id} px={10} py={8}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {clientTools.map((tool) => (
        <Tabs.Panel key={tool.id} value={tool.id} pt="sm">
          <Text c="dimmed" mb={8}>
            {tool.place ? t('connect.paste', { place: tool.place }) : t('connect.terminal')}{' '}
            {t(`connect.${tool.note}`)}
          </Text>
          <Snippet
            text={tool.command(facts)}
            label={t('connect.commandFor', { name: tool.name })}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
