import { SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { JsonField } from '../../../components/forms/json-field.tsx'
import { MappingEditor } from '../../../components/forms/mapping-editor.tsx'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { MultiSelect, TagsInput } from '../../../components/forms/option-lists.tsx'
import { useIsShared } from '../../../gateway/use-is-shared.ts'
import { anthropicType, geminiType, stripsBilling } from './channel-draft.ts'
import type { ChannelFormPart } from './channel-fields.ts'
import { ConnectionFields } from './connection-fields.tsx'

const openAiType = 1
const versionedTypes = [3, geminiType]
const endpointTypes = [
  'openai',
  'openai-response',
  'anthropic',
  'gemini',
  'embeddings',
  'image-generation',
  'jina-rerank',
  'audio',
  'realtime',
]

export function AdvancedFields(props: ChannelFormPart) {
  const { draft, set, at } = props
  const { t } = useTranslation()
  const isShared = useIsShared()
  const [hasGroups] = useState(draft.groups.join() !== 'default')
  return (
    <Stack gap="md">
      <MappingEditor
        rows={draft.mapping}
        error={at.model_mapping}
        onChange={(mapping) => set({ mapping })}
      />
      <SimpleGrid cols={2} spacing="sm">
        <NumberField
          label={t('channelForm.priority')}
          description={t('channelForm.priorityHint')}
          whole
          value={draft.priority}
          error={at.priority}
          onChange={(value) => set({ priority: Number(value) || 0 })}
        />
        <NumberField
          label={t('channelForm.weight')}
          description={t('channelForm.weightHint')}
          min={0}
          whole
          value={draft.weight}
          error={at.weight}
          onChange={(value) => set({ weight: Number(value) || 0 })}
        />
        <TextInput
          label={t('channelForm.testModel')}
          description={t('channelForm.testModelHint')}
          value={draft.testModel}
          error={at.test_model}
          onChange={(event) => set({ testModel: event.currentTarget.value })}
        />
        {(isShared || hasGroups) && (
          <TagsInput
            label={t('channelForm.groups')}
            description={' '}
            value={draft.groups}
            error={at.group}
            acceptValueOnBlur
            onChange={(groups) => set({ groups })}
          />
        )}
        <TextInput
          label={t('channelForm.tag')}
          description={t('channelForm.tagHint')}
          value={draft.tag}
          error={at.tag}
          onChange={(event) => set({ tag: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Switch
        label={t('channelForm.autoBan')}
        description={t('channelForm.autoBanHint')}
        checked={draft.autoBan}
        error={at.auto_ban}
        onChange={(event) => set({ autoBan: event.currentTarget.checked })}
      />
      {versionedTypes.includes(draft.type) && (
        <TextInput
          label={t('channelForm.other')}
          value={draft.other}
          error={at.other}
          onChange={(event) => set({ other: event.currentTarget.value })}
        />
      )}
      {draft.type === openAiType && (
        <TextInput
          label={t('channelForm.organization')}
          value={draft.organization}
          error={at.openai_organization}
          onChange={(event) => set({ organization: event.currentTarget.value })}
        />
      )}
      <MultiSelect
        label={t('channelForm.endpointTypes')}
        description={t('channelForm.endpointTypesHint')}
        data={endpointTypes}
        value={draft.endpointTypes}
        error={at.settings}
        clearable
        onChange={(types) => set({ endpointTypes: types })}
      />
      {draft.type === geminiType && (
        <Switch
          label={t('channelForm.explicitCaching')}
          description={t('channelForm.explicitCachingHint')}
          checked={draft.explicitCaching}
          onChange={(event) => set({ explicitCaching: event.currentTarget.checked })}
        />
      )}
      {(draft.type === anthropicType || draft.endpointTypes.includes('anthropic')) && (
        <Switch
          label={t('channelForm.stripBilling')}
          description={t('channelForm.stripBillingHint')}
          checked={stripsBilling(draft)}
          onChange={(event) => set({ stripBilling: event.currentTarget.checked })}
        />
      )}
      <ConnectionFields {...props} />
      <JsonField
        label={t('channelForm.paramOverride')}
        hint={t('channelForm.paramOverrideHint')}
        value={draft.paramOverride}
        error={at.param_override}
        onChange={(paramOverride) => set({ paramOverride })}
      />
      <JsonField
        label={t('channelForm.headerOverride')}
        hint={t('channelForm.headerOverrideHint', { example: '{api_key}' })}
        value={draft.headerOverride}
        error={at.header_override}
        onChange={(headerOverride) => set({ headerOverride })}
      />
      <JsonField
        label={t('channelForm.statusMapping')}
        hint={t('channelForm.statusMappingHint')}
        value={draft.statusMapping}
        error={at.status_code_mapping}
        onChange={(statusMapping) => set({ statusMapping })}
      />
      <TextInput
        label={t('channelForm.remark')}
        value={draft.remark}
        error={at.remark}
        onChange={(event) => set({ remark: event.currentTarget.value })}
      />
    </Stack>
  )
}
