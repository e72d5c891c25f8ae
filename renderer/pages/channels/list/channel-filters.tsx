import { Button, Group, SegmentedControl, Select, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../../gateway/queries.ts'
import { useIsShared } from '../../../gateway/use-is-shared.ts'
import { type ChannelView, isFiltered, noChannelFilters, sortColumns } from './channel-view.ts'

interface ChannelFiltersProps {
  view: ChannelView
  /** Number of channels by type. */
  typeCounts: Readonly<Record<string, number>>
  onChange: (fields: Partial<ChannelView>) => void
}

export function ChannelFilters({ view, typeCounts, onChange }: ChannelFiltersProps) {
  const { t } = useTranslation()
  const isShared = useIsShared()
  const groups = useOperation('group.list', {}, { enabled: isShared })
  const typeName = useTypeNames()
  const types = Object.keys(typeCounts)
  // The chosen type stays in the list when no channel has it any more, so that it can be cleared.
  if (view.type !== null && !types.includes(view.type)) types.push(view.type)

  return (
    <Group gap={8} role="search" aria-label={t('channels.filters')}>
      <TextInput
        w={190}
        leftSection={<IconSearch size={14} />}
        placeholder={t('channels.search')}
        aria-label={t('channels.searchLabel')}
        value={view.keyword}
        onChange={(event) => onChange({ keyword: event.currentTarget.value })}
      />
      <TextInput
        w={110}
        placeholder={t('channels.filterModel')}
        aria-label={t('channels.filterModel')}
        value={view.model}
        onChange={(event) => onChange({ model: event.currentTarget.value })}
      />
      <Select
        w={110}
        placeholder={t('channels.anyStatus')}
        aria-label={t('channels.filterStatus')}
        data={[
          { value: 'enabled', label: t('common.enabled') },
          { value: 'disabled', label: t('common.disabled') },
        ]}
        value={view.status}
        clearable
        onChange={(status) => onChange({ status })}
      />
      <Select
        w={145}
        placeholder={t('channels.anyType')}
        aria-label={t('channels.filterType')}
        data={types.map((type) => ({
          value: type,
          label: `${typeName(Number(type))} (${typeCounts[type] ?? 0})`,
        }))}
        value={view.type}
        clearable
        onChange={(type) => onChange({ type })}
      />
      {(isShared || view.group !== null) && (
        <Select
          w={115}
          placeholder={t('channels.anyGroup')}
          aria-label={t('channels.filterGroup')}
          data={groups.data ?? []}
          value={view.group}
          clearable
          onChange={(group) => onChange({ group })}
        />
      )}
      <Select
        w={145}
        aria-label={t('channels.sort')}
        data={sortColumns.map((column) => ({ value: column, label: t(`channels.sort_${column}`) }))}
        value={view.sort}
        allowDeselect={false}
        onChange={(sort) => onChange({ sort: sort as ChannelView['sort'] })}
      />
      {isFiltered(view) && (
        <Button variant="subtle" color="gray" onClick={() => onChange(noChannelFilters)}>
          {t('calls.clearFilters')}
        </Button>
      )}
      <SegmentedControl
        ml="auto"
        aria-label={t('channels.arrangement')}
        data={[
          { value: 'list', label: t('channels.asList') },
          { value: 'tags', label: t('channels.byTag') },
        ]}
        value={view.byTag ? 'tags' : 'list'}
        onChange={(arrangement) => onChange({ byTag: arrangement === 'tags' })}
      />
    </Group>
  )
}

/** A channel type is named after the first preset of that type. */
function useTypeNames(): (type: number) => string {
  const presets = useOperation('channel.presets', {})
  return (type) => presets.data?.find((preset) => preset.type === type)?.name ?? `#${type}`
}
