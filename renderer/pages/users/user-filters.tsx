import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../gateway/queries.ts'
import { roles } from '../../gateway/use-role.ts'

export interface UserFilterDraft {
  text: string
  /** Null for any. */
  role: string | null
  status: string | null
  group: string | null
}

export const noUserFilters: UserFilterDraft = { text: '', role: null, status: null, group: null }

interface UserFiltersProps {
  draft: UserFilterDraft
  onChange: (draft: UserFilterDraft) => void
}

export function UserFilters({ draft, onChange }: UserFiltersProps) {
  const { t } = useTranslation()
  const groups = useOperation('group.list', {})
  const set = (fields: Partial<UserFilterDraft>) => onChange({ ...draft, ...fields })
  const choice = (
    field: 'role' | 'status' | 'group',
    label: string,
    any: string,
    data: { value: string; label: string }[] | string[],
  ) => (
    <Select
      w={150}
      placeholder={any}
      aria-label={label}
      data={data}
      clearable
      value={draft[field]}
      onChange={(value) => set({ [field]: value })}
    />
  )

  return (
    <Group gap={8} role="search" aria-label={t('users.filters')}>
      <TextInput
        w={240}
        leftSection={<IconSearch size={14} />}
        placeholder={t('users.search')}
        aria-label={t('users.search')}
        value={draft.text}
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
      {choice('role', t('users.role'), t('users.anyRole'), [
        { value: String(roles.common), label: t('users.roleCommon') },
        { value: String(roles.administrator), label: t('users.roleAdministrator') },
        { value: String(roles.owner), label: t('users.roleOwner') },
      ])}
      {choice('status', t('users.status'), t('users.anyStatus'), [
        { value: '1', label: t('common.enabled') },
        { value: '2', label: t('common.disabled') },
      ])}
      {choice('group', t('users.group'), t('users.anyGroup'), groups.data ?? [])}
      {draft !== noUserFilters && (
        <Button variant="subtle" color="gray" onClick={() => onChange(noUserFilters)}>
          {t('calls.clearFilters')}
        </Button>
      )}
    </Group>
  )
}
