import { Group, Stack, Switch, Text } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { jsonObjectProblem } from '../../../components/forms/json-field.tsx'
import { splitFailure } from '../../../components/forms/split-failure.ts'
import { useFocusError } from '../../../components/forms/use-focus-error.ts'
import { useUnsavedDraft } from '../../../components/leaving/use-unsaved.ts'
import { needsStepUp } from '../../../components/step-up/needs-step-up.ts'
import { StepUp } from '../../../components/step-up/step-up.tsx'
import { useAction, useOperation } from '../../../gateway/queries.ts'
import type { ChannelRecord } from '../../../gateway/records.ts'
import { channelQueries } from '../channel-queries.ts'
import { splitList } from '../form/channel-draft.ts'
import {
  draftOfTag,
  fieldsOfTag,
  type TagDraft,
  type TagField,
  tagFields,
  tagLabels,
} from './tag-draft.ts'
import { TagFieldInput } from './tag-field-input.tsx'

interface TagFormProps {
  tag: string
  channels: readonly ChannelRecord[]
  onDone: () => void
  /** Whether a step-up dialog stands above the form. */
  onStepUp: (isOpen: boolean) => void
}

/** Each field must be enabled before it is changed. */
export function TagForm({ tag, channels, onDone, onStepUp }: TagFormProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<TagDraft>(() => draftOfTag(tag, channels))
  useUnsavedDraft(draft)
  const longest = useOperation('channel.tag-models', { tag })
  const models = splitList(longest.data ?? '')
  const update = useAction('channel.tag-update', [...channelQueries, 'channel.tag-models'])
  const isStepUp = needsStepUp(update.failure)
  const refusal = isStepUp ? null : update.failure
  const form = useFocusError(refusal)
  const { at, rest } = splitFailure(refusal, tagLabels, t)
  useEffect(() => onStepUp(isStepUp), [onStepUp, isStepUp])
  const set = (fields: Partial<TagDraft>) => setDraft((current) => ({ ...current, ...fields }))
  const changes = (field: TagField) => draft.changes.includes(field)
  const toggle = (field: TagField, isOn: boolean) =>
    set({
      changes: isOn ? [...draft.changes, field] : draft.changes.filter((one) => one !== field),
    })
  const isFine =
    draft.changes.length > 0 &&
    !(changes('param_override') && jsonObjectProblem(draft.paramOverride)) &&
    !(changes('header_override') && jsonObjectProblem(draft.headerOverride))

  const save = async () => {
    if (await update.run(fieldsOfTag(tag, draft, models))) onDone()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <form ref={form} onSubmit={submit}>
      {isStepUp && (
        <StepUp
          failure={update.failure}
          purpose={t('channelTags.stepUp', { tag })}
          onVerified={() => void save()}
          onClose={update.reset}
        />
      )}
      <Stack gap="md">
        <Text c="dimmed">{t('channelTags.editHint', { count: channels.length })}</Text>
        {tagFields.map((field) => (
          <Stack key={field} gap={8}>
            <Switch
              label={t('channelTags.change', { field: t(`channelTags.field_${field}`) })}
              checked={changes(field)}
              onChange={(event) => toggle(field, event.currentTarget.checked)}
            />
            {changes(field) && (
              <TagFieldInput
                field={field}
                draft={draft}
                set={set}
                error={at[field]}
                models={models}
              />
            )}
          </Stack>
        ))}
        <FailureNote failure={rest} />
        <Group justify="flex-end">
          <ActionButton
            type="submit"
            disabled={!isFine}
            busy={update.busy}
            busyLabel={t('common.saving')}
            onCancel={update.cancel}
          >
            {t('channelTags.save', { count: channels.length })}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}
