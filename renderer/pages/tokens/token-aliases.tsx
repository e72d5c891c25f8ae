import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TokenFormPart } from './token-fields.ts'

/** A token's aliases, which Connect adds; what a tool left behind is removed here. */
export function TokenAliases({ draft, set }: Pick<TokenFormPart, 'draft' | 'set'>) {
  const { t } = useTranslation()
  const aliases = Object.entries(draft.aliases)
  if (aliases.length === 0) return null
  return (
    <Stack gap={4}>
      {aliases.map(([alias, model]) => (
        <Group key={alias} gap="xs" justify="space-between" wrap="nowrap">
          <Text c="dimmed">{t('tokens.aliasOf', { alias, model })}</Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('tokens.removeAlias', { alias })}
            onClick={() =>
              set({ aliases: Object.fromEntries(aliases.filter(([name]) => name !== alias)) })
            }
          >
            <IconX size={14} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  )
}
