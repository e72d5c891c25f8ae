import { Group, SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Select } from '../../../components/forms/option-lists.tsx'
import { ClearFilters } from '../../../components/table/clear-filters.tsx'
import { FilterField } from '../../../components/table/filter-field.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { useIsShared } from '../../../gateway/use-is-shared.ts'
import { usePresetText } from '../form/use-preset-text.ts'
import { type ChannelView, isByTag, sortColumns, sortOf } from './channel-view.ts'

interface ChannelFiltersProps {
  view: ChannelView
  /** Number of channels by type. */
  typeCounts: Readonly<Record<string, number>>
  isFiltered: boolean
  onChange: (fields: Partial<ChannelView>) => void
  onClear: () => void
}

export function ChannelFilters(props: ChannelFiltersProps) {
  const { view, typeCounts, isFiltered, onChange, onClear } = props
  const { t } = useTranslation()
  const isShared = useIsShared()
  const groups = useOperation('group.list', {}, { enabled: isShared })
  const typeName = useTypeNames()
  const types = Object.keys(typeCounts)
  // The chosen type stays in the list when no channel has it any more, so that it can be cleared.
  if (view.type !== '' && !types.includes(view.type)) types.push(view.type)

  return (
    <Group gap={8} role="search" aria-label={t('channels.filters')}>
      <FilterField
        w={190}
        label={t('channels.searchLabel')}
        placeholder={t('channels.search')}
        value={view.q}
        onChange={(q) => onChange({ q })}
      />
      <FilterField
        w={110}
        icon={false}
        label={t('channels.filterModel')}
        value={view.model}
        onChange={(model) => onChange({ model })}
      />
      <Select
        w={110}
        placeholder={t('channels.anyStatus')}
        aria-label={t('channels.filterStatus')}
        data={[
          { value: 'enabled', label: t('common.enabled') },
          { value: 'disabled', label: t('common.disabled') },
        ]}
        value={view.status || null}
        clearable
        onChange={(status) => onChange({ status: status ?? '' })}
      />
      <Select
        w={145}
        placeholder={t('channels.anyType')}
        aria-label={t('channels.filterType')}
        data={types.map((type) => ({
          value: type,
          label: `${typeName(Number(type))} (${typeCounts[type] ?? 0})`,
        }))}
        value={view.type || null}
        clearable
        onChange={(type) => onChange({ type: type ?? '' })}
      />
      {(isShared || view.group !== '') && (
        <Select
          w={115}
          placeholder={t('channels.anyGroup')}
          aria-label={t('channels.filterGroup')}
          data={groups.data ?? []}
          value={view.group || null}
          clearable
          onChange={(group) => onChange({ group: group ?? '' })}
        />
      )}
      <Select
        w={145}
        aria-label={t('channels.sort')}
        data={sortColumns.map((column) => ({ value: column, label: t(`channels.sort_${column}`) }))}
        value={sortOf(view)}
        allowDeselect={false}
        onChange={(sort) => onChange({ sort: sort && sort !== 'priority' ? sort : '' })}
      />
      <ClearFilters isFiltered={isFiltered} onClear={onClear} />
      <SegmentedControl
        ml="auto"
        aria-label={t('channels.arrangement')}
        data={[
          { value: 'list', label: t('channels.asList') },
          { value: 'tags', label: t('channels.byTag') },
        ]}
        value={isByTag(view) ? 'tags' : 'list'}
        onChange={(arrangement) => onChange({ view: arrangement === 'tags' ? 'tags' : '' })}
      />
    </Group>
  )
}

/** A channel type is named after the first preset of that type. */
function useTypeNames(): (type: number) => string {
  const presets = useOperation('channel.presets', {})
  const { nameOf } = usePresetText()
  return (type) => {
    const preset = presets.data?.find((one) => one.type === type)
    return preset ? nameOf(preset) : `#${type}`
  }
}
