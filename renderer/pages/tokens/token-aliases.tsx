import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { focusBeside } from '../../components/forms/focus-beside.ts'
import type { TokenFormPart } from './token-fields.ts'

/** A token's aliases, which Connect adds; what a tool left behind is removed here. */
export function TokenAliases({ draft, set }: Pick<TokenFormPart, 'draft' | 'set'>) {
  const { t } = useTranslation()
  const aliases = Object.entries(draft.aliases)
  // The group stays when its last alias goes: it has the focus then.
  const [hadSome] = useState(aliases.length > 0)
  if (!hadSome) return null
  return (
    <Stack gap={4} role="group" tabIndex={-1} aria-label={t('tokens.aliasesLabel')}>
      {aliases.length === 0 && <Text c="dimmed">{t('tokens.noAliases')}</Text>}
      {aliases.map(([alias, model]) => (
        <Group key={alias} gap="xs" justify="space-between" wrap="nowrap">
          <Text c="dimmed">{t('tokens.aliasOf', { alias, model })}</Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('tokens.removeAlias', { alias })}
            onClick={(event) => {
              focusBeside(event.currentTarget)
              set({ aliases: Object.fromEntries(aliases.filter(([name]) => name !== alias)) })
            }}
          >
            <IconX size={14} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  )
}
