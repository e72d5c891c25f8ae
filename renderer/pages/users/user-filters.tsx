import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Select } from '../../components/forms/option-lists.tsx'
import { ClearFilters } from '../../components/table/clear-filters.tsx'
import { FilterField } from '../../components/table/filter-field.tsx'
import { useOperation } from '../../gateway/queries.ts'
import { roles } from '../../gateway/use-role.ts'

export const userFilters = ['q', 'role', 'status', 'group'] as const

type Filters = Record<(typeof userFilters)[number], string>

interface UserFiltersProps {
  filters: Filters
  onChange: (filters: Partial<Filters>) => void
  isFiltered: boolean
  onClear: () => void
}

export function UserFilters({ filters, isFiltered, onChange, onClear }: UserFiltersProps) {
  const { t } = useTranslation()
  const groups = useOperation('group.list', {})
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
      value={filters[field] || null}
      onChange={(value) => onChange({ [field]: value ?? '' })}
    />
  )

  return (
    <Group gap={8} role="search" aria-label={t('users.filters')}>
      <FilterField
        w={240}
        label={t('users.search')}
        value={filters.q}
        onChange={(q) => onChange({ q })}
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
      <ClearFilters isFiltered={isFiltered} onClear={onClear} />
    </Group>
  )
}
