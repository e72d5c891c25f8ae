import { Group, SegmentedControl, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useIsShared } from '../../gateway/use-is-shared.ts'
import { rangeNames } from './usage-range.ts'
import { dimensions } from './use-usage-names.ts'
import type { UsageView } from './use-usage-query.ts'

interface UsageControlsProps {
  view: UsageView
  /** Only administrators can group by channel and user. */
  isAdministrator: boolean
  onChange: (fields: Partial<UsageView>) => void
}

export function UsageControls({ view, isAdministrator, onChange }: UsageControlsProps) {
  const { t } = useTranslation()
  const isShared = useIsShared()
  const offered = isAdministrator
    ? dimensions.filter((one) => one !== 'user' || isShared || view.by === 'user')
    : (['model', 'token'] as const)
  const date = (field: 'from' | 'to') => (
    <TextInput
      type="date"
      aria-label={t(`usage.${field}`)}
      value={view[field]}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
    />
  )
  return (
    <Group gap={10} role="search" aria-label={t('usage.controls')}>
      <SegmentedControl
        aria-label={t('usage.range')}
        data={rangeNames.map((name) => ({ value: name, label: t(`usage.range_${name}`) }))}
        value={view.range}
        onChange={(range) => onChange({ range: range as UsageView['range'] })}
      />
      {view.range === 'own' && (
        <Group gap={6}>
          {date('from')}
          <span aria-hidden>–</span>
          {date('to')}
        </Group>
      )}
      <SegmentedControl
        aria-label={t('usage.by')}
        data={offered.map((name) => ({ value: name, label: t(`usage.by_${name}`) }))}
        value={view.by}
        onChange={(by) => onChange({ by: by as UsageView['by'] })}
      />
    </Group>
  )
}
