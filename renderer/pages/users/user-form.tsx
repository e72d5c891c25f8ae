import { Group, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { NumberField } from '../../components/forms/number-field.tsx'
import { Select } from '../../components/forms/option-lists.tsx'
import { splitFailure } from '../../components/forms/split-failure.ts'
import { useFocusError } from '../../components/forms/use-focus-error.ts'
import { useTextLimit } from '../../components/forms/use-text-limit.ts'
import { useUnsavedDraft } from '../../components/leaving/use-unsaved.ts'
import { useAction, useOperation } from '../../gateway/queries.ts'
import type { UserRecord } from '../../gateway/records.ts'
import { roles, useRole } from '../../gateway/use-role.ts'
import {
  draftOfUser,
  fieldsOfNewUser,
  fieldsOfUser,
  newUserDraft,
  type UserDraft,
} from './user-draft.ts'

interface UserFormProps {
  stored?: UserRecord
  onSaved: () => void
}

const labels = {
  username: 'users.username',
  display_name: 'users.displayName',
  password: 'users.password',
  role: 'users.role',
  group: 'users.group',
  remark: 'users.remark',
  quota: 'users.left',
} as const
const longestName = 20
const longestRemark = 255

/** One's own password is changed in the settings. */
export function UserForm({ stored, onSaved }: UserFormProps) {
  const { t } = useTranslation()
  const limited = useTextLimit()
  // The record may be read again during the edit; changes are relative to this first version.
  const [read] = useState(stored)
  const [draft, setDraft] = useState<UserDraft>(() => (stored ? draftOfUser(stored) : newUserDraft))
  useUnsavedDraft(draft)
  const isOwner = useRole() >= roles.owner
  const selfId = useOperation('user.self', {}).data?.id
  const groups = useOperation('group.list', {})
  const create = useAction('user.create', ['user.search', 'server.get'])
  const update = useAction('user.update', ['user.search', 'user.get', 'user.self'])
  const action = stored ? update : create
  const form = useFocusError(action.failure)
  const { at, rest } = splitFailure(action.failure, labels, t)
  const set = (changed: Partial<UserDraft>) => setDraft((current) => ({ ...current, ...changed }))

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const reply = read
      ? await update.run(fieldsOfUser(read, draft))
      : await create.run(fieldsOfNewUser(draft))
    if (reply) onSaved()
  }

  return (
    <form ref={form} onSubmit={(event) => void save(event)}>
      <Stack gap="md">
        <TextInput
          label={t('users.username')}
          data-autofocus
          autoComplete="off"
          value={draft.username}
          {...limited(draft.username, longestName, { error: at.username })}
          onChange={(event) => set({ username: event.currentTarget.value })}
        />
        <TextInput
          label={t('users.displayName')}
          value={draft.displayName}
          {...limited(draft.displayName, longestName, { error: at.display_name })}
          onChange={(event) => set({ displayName: event.currentTarget.value })}
        />
        {stored?.id !== selfId && (
          <PasswordInput
            label={t('users.password')}
            description={t(stored ? 'users.passwordKeep' : 'users.passwordHint')}
            autoComplete="new-password"
            value={draft.password}
            error={at.password}
            aria-invalid={at.password !== undefined}
            visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
            onChange={(event) => set({ password: event.currentTarget.value })}
          />
        )}
        {!stored && isOwner && (
          <Select
            label={t('users.role')}
            data={[
              { value: String(roles.common), label: t('users.roleCommon') },
              { value: String(roles.administrator), label: t('users.roleAdministrator') },
            ]}
            allowDeselect={false}
            value={draft.role}
            error={at.role}
            onChange={(value) => value && set({ role: value })}
          />
        )}
        <Select
          label={t('users.group')}
          description={t('users.groupHint')}
          data={[...new Set([...(groups.data ?? []), draft.group])]}
          allowDeselect={false}
          value={draft.group}
          error={at.group}
          onChange={(value) => value && set({ group: value })}
        />
        <NumberField
          label={t('users.left')}
          description={t(stored ? 'users.leftHint' : 'users.leftNew')}
          prefix="$"
          value={draft.dollars}
          error={at.quota}
          onChange={(value) => set({ dollars: value })}
        />
        <Textarea
          label={t('users.remark')}
          autosize
          minRows={2}
          value={draft.remark}
          {...limited(draft.remark, longestRemark, {
            description: t('users.remarkHint'),
            error: at.remark,
          })}
          onChange={(event) => set({ remark: event.currentTarget.value })}
        />
        <FailureNote failure={rest} />
        <Group justify="flex-end">
          <ActionButton
            type="submit"
            busy={action.busy}
            busyLabel={stored ? t('common.saving') : t('users.creating')}
            onCancel={action.cancel}
          >
            {stored ? t('common.save') : t('users.create')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}
