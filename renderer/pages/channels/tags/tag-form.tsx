import { Group, Stack, Switch, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/action-button.tsx'
import { FailureNote } from '../../../components/failure-note.tsx'
import { jsonObjectProblem } from '../../../components/json-field.tsx'
import { splitFailure } from '../../../components/split-failure.ts'
import { useFocusRefused } from '../../../components/use-focus-refused.ts'
import { useAction, useOperation } from '../../../gateway/queries.ts'
import type { ChannelRecord } from '../../../gateway/records.ts'
import { splitList } from '../channel-draft.ts'
import { channelReads } from '../channel-reads.ts'
import { draftOfTag, fieldsOfTag, type TagDraft, type TagField, tagFields } from './tag-draft.ts'
import { TagFieldInput } from './tag-field-input.tsx'

interface TagFormProps {
  tag: string
  channels: readonly ChannelRecord[]
  onDone: () => void
}

/** Changes fields in all channels of a tag; each is switched on first, so that nothing changes unasked. */
export function TagForm({ tag, channels, onDone }: TagFormProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<TagDraft>(() => draftOfTag(tag, channels))
  const longest = useOperation('channel.tag-models', { tag })
  const models = splitList(longest.data ?? '')
  const update = useAction('channel.tag-update', [...channelReads, 'channel.tag-models'])
  const form = useFocusRefused(update.failure)
  const { at, rest } = splitFailure(update.failure, tagFields)
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

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (await update.run(fieldsOfTag(tag, draft, models))) onDone()
  }
  return (
    <form ref={form} onSubmit={(event) => void save(event)}>
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
