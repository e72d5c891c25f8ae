import { Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { Select } from '../../../components/forms/option-lists.tsx'
import { useAction } from '../../../gateway/queries.ts'
import { useEvery } from '../../../gateway/use-every.ts'
import { fieldsOfToken, newTokenDraft } from '../../tokens/token-draft.ts'

interface SnippetTokenProps {
  /** Name of the tool, and of a new token for it. */
  name: string
  placeholder: string
  onKey: (key: string | null) => void
}

/** Fills the key of a token into the texts: one that exists, or a new one. */
export function SnippetToken({ name, placeholder, onKey }: SnippetTokenProps) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const tokens = useEvery('token.list')
  const reveal = useAction('token.reveal')
  const create = useAction('token.create', ['token.list'])

  const choose = async (id: string | null) => {
    setChosen(id)
    onKey(null)
    const reply = id === null ? null : await reveal.run({ id: Number(id) })
    if (reply) onKey(reply.data.key)
  }
  const make = async () => {
    const reply = await create.run(fieldsOfToken({ ...newTokenDraft, name }))
    if (!reply) return
    setChosen(String(reply.data.id))
    onKey(reply.data.key)
  }
  return (
    <Stack gap={6}>
      <Group align="flex-end" gap={8}>
        <Select
          label={t('connectTools.token')}
          description={t('connectTools.fillHint', { placeholder })}
          placeholder={t('connectTools.fillNone')}
          data={(tokens.data ?? []).map((token) => ({
            value: String(token.id),
            label: `${token.name} (#${token.id})`,
          }))}
          value={chosen}
          clearable
          clearButtonProps={{ 'aria-label': t('common.clear') }}
          searchable
          flex="1 1 220px"
          onChange={(id) => void choose(id)}
        />
        <ActionButton
          variant="default"
          busy={create.busy}
          busyLabel={t('tokens.creating')}
          onCancel={create.cancel}
          onClick={() => void make()}
        >
          {t('connectTools.newToken', { name })}
        </ActionButton>
      </Group>
      <FailureNote failure={create.failure ?? reveal.failure} />
    </Stack>
  )
}
