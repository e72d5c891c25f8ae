import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Select } from '../../components/forms/option-lists.tsx'
import { useOperation } from '../../gateway/queries.ts'
import { autoGroup } from './token-draft.ts'
import type { TokenFormPart } from './token-fields.ts'

export function GroupField({ draft, set, at }: TokenFormPart) {
  const { t } = useTranslation()
  const groups = useOperation('user.self-groups', {})
  const offered = Object.entries(groups.data ?? {}).map(([name, { ratio, desc }]) => ({
    value: name,
    label: [
      desc && desc !== name ? `${name}: ${desc}` : name,
      typeof ratio === 'number' && ratio !== 1 ? t('tokens.groupRatio', { ratio }) : '',
    ]
      .filter(Boolean)
      .join(' '),
  }))
  // A group that can't be chosen any more is still the token's.
  const isMissing = draft.group !== '' && !offered.some(({ value }) => value === draft.group)
  return (
    <>
      <Select
        label={t('tokens.group')}
        description={t(draft.group === autoGroup ? 'tokens.groupAutoHint' : 'tokens.groupHint')}
        placeholder={t('tokens.groupOwn')}
        data={isMissing ? [...offered, { value: draft.group, label: draft.group }] : offered}
        value={draft.group === '' ? null : draft.group}
        error={at.group ?? groups.error?.message}
        clearable
        searchable={offered.length > 8}
        onChange={(group) => set({ group: group ?? '' })}
      />
      {draft.group === autoGroup && (
        <Switch
          label={t('tokens.crossGroupRetry')}
          description={t('tokens.crossGroupRetryHint')}
          checked={draft.crossGroupRetry}
          error={at.cross_group_retry}
          onChange={(event) => set({ crossGroupRetry: event.currentTarget.checked })}
        />
      )}
    </>
  )
}
