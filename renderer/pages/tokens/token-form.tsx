import { Group, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { NumberField } from '../../components/forms/number-field.tsx'
import { TagsInput } from '../../components/forms/option-lists.tsx'
import { splitFailure } from '../../components/forms/split-failure.ts'
import { useFocusError } from '../../components/forms/use-focus-error.ts'
import { useTextLimit } from '../../components/forms/use-text-limit.ts'
import { useUnsavedDraft } from '../../components/leaving/use-unsaved.ts'
import { useAction, useOperation } from '../../gateway/queries.ts'
import type { TokenRecord } from '../../gateway/records.ts'
import { useIsShared } from '../../gateway/use-is-shared.ts'
import { BudgetFields } from './budget-fields.tsx'
import { GroupField } from './group-field.tsx'
import { RateFields } from './rate-fields.tsx'
import { TokenAliases } from './token-aliases.tsx'
import {
  changesOfToken,
  draftOfToken,
  fieldsOfToken,
  newTokenDraft,
  type TokenDraft,
} from './token-draft.ts'
import { longestTokenName, tokenLabels } from './token-fields.ts'

interface TokenFormProps {
  stored?: TokenRecord
  /** Called with the new record and its key, if one was created. */
  onSaved: (created: TokenRecord | null) => void
}

export function TokenForm({ stored, onSaved }: TokenFormProps) {
  const { t } = useTranslation()
  const limited = useTextLimit()
  // The record may be read again during the edit; changes are relative to this first version.
  const [read] = useState(stored)
  const [draft, setDraft] = useState<TokenDraft>(() =>
    stored ? draftOfToken(stored) : newTokenDraft,
  )
  useUnsavedDraft(draft)
  const models = useOperation('user.models', {})
  const isShared = useIsShared()
  const create = useAction('token.create', ['token.list'])
  const update = useAction('token.update', ['token.list', 'token.get'])
  const action = stored ? update : create
  const form = useFocusError(action.failure)
  const { at, rest } = splitFailure(action.failure, tokenLabels, t)
  const set = (changed: Partial<TokenDraft>) => setDraft((current) => ({ ...current, ...changed }))

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (read) {
      if (await update.run({ id: read.id, ...changesOfToken(draft, read) })) onSaved(null)
      return
    }
    const reply = await create.run(fieldsOfToken(draft))
    if (reply) onSaved(reply.data)
  }

  const parts = { draft, set, at }
  return (
    <form ref={form} onSubmit={(event) => void save(event)}>
      <Stack gap="md">
        <TextInput
          label={t('tokens.name')}
          placeholder={t('tokens.namePlaceholder')}
          data-autofocus
          value={draft.name}
          {...limited(draft.name, longestTokenName, { error: at.name })}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          label={t('tokens.expiryLabel')}
          description={t('tokens.expiryHint')}
          value={draft.expires}
          error={at.expired_time}
          onChange={(event) => set({ expires: event.currentTarget.value })}
        />
        <Switch
          label={t('tokens.limitQuota')}
          checked={draft.limitQuota}
          onChange={(event) => set({ limitQuota: event.currentTarget.checked })}
        />
        {draft.limitQuota && (
          <NumberField
            label={t('tokens.quota')}
            description={t('tokens.quotaHint')}
            prefix="$"
            min={0}
            value={draft.dollars}
            error={at.remain_quota}
            onChange={(value) => set({ dollars: value })}
          />
        )}
        <BudgetFields {...parts} />
        <RateFields {...parts} />
        <Switch
          label={t('tokens.limitModels')}
          checked={draft.limitModels}
          onChange={(event) => set({ limitModels: event.currentTarget.checked })}
        />
        {draft.limitModels && (
          <TagsInput
            label={t('tokens.models')}
            description={t('tokens.modelsHint')}
            data={models.data ?? []}
            value={draft.models}
            error={at.model_limits}
            acceptValueOnBlur
            clearable
            onChange={(chosen) => set({ models: chosen })}
          />
        )}
        <TokenAliases {...parts} />
        <Textarea
          label={t('tokens.ips')}
          description={t('tokens.ipsHint')}
          autosize
          minRows={2}
          spellCheck={false}
          value={draft.ips}
          error={at.allow_ips}
          onChange={(event) => set({ ips: event.currentTarget.value })}
        />
        {(isShared || read?.group) && <GroupField {...parts} />}
        <FailureNote failure={rest} />
        <Group justify="flex-end">
          <ActionButton
            type="submit"
            busy={action.busy}
            busyLabel={stored ? t('common.saving') : t('tokens.creating')}
            onCancel={action.cancel}
          >
            {stored ? t('common.save') : t('tokens.create')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}
