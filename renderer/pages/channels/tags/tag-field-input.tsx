import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { JsonField } from '../../../components/forms/json-field.tsx'
import { MappingEditor } from '../../../components/forms/mapping-editor.tsx'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { TagsInput } from '../../../components/forms/option-lists.tsx'
import type { TagDraft, TagField } from './tag-draft.ts'

interface TagFieldInputProps {
  field: TagField
  draft: TagDraft
  set: (fields: Partial<TagDraft>) => void
  error: string | undefined
  /** The longest list of models among the channels. */
  models: readonly string[]
}

export function TagFieldInput({ field, draft, set, error, models }: TagFieldInputProps) {
  const { t } = useTranslation()
  const label = t(`channelTags.field_${field}`)
  if (field === 'new_tag') {
    return (
      <TextInput
        aria-label={label}
        description={t('channelTags.newTagHint')}
        value={draft.newTag}
        error={error}
        onChange={(event) => set({ newTag: event.currentTarget.value })}
      />
    )
  }
  if (field === 'models' || field === 'groups') {
    return (
      <TagsInput
        aria-label={label}
        description={t(field === 'models' ? 'channelTags.modelsHint' : 'channelTags.groupsHint')}
        value={field === 'models' ? (draft.models ?? [...models]) : draft.groups}
        error={error}
        splitChars={[',', ' ', '\n']}
        acceptValueOnBlur
        clearable
        onChange={(list) => set(field === 'models' ? { models: list } : { groups: list })}
      />
    )
  }
  if (field === 'model_mapping') {
    return (
      <MappingEditor rows={draft.mapping} error={error} onChange={(mapping) => set({ mapping })} />
    )
  }
  if (field === 'priority' || field === 'weight') {
    return (
      <NumberField
        aria-label={label}
        description={t(
          field === 'priority' ? 'channelForm.priorityHint' : 'channelForm.weightHint',
        )}
        whole
        min={field === 'priority' ? undefined : 0}
        value={draft[field]}
        error={error}
        onChange={(value) => set({ [field]: Number(value) || 0 })}
      />
    )
  }
  const isParam = field === 'param_override'
  return (
    <JsonField
      label={label}
      hint={
        isParam
          ? t('channelForm.paramOverrideHint')
          : t('channelForm.headerOverrideHint', { example: '{api_key}' })
      }
      value={isParam ? draft.paramOverride : draft.headerOverride}
      error={error}
      onChange={(text) => set(isParam ? { paramOverride: text } : { headerOverride: text })}
    />
  )
}
