import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { splitFailure } from '../../../components/forms/split-failure.ts'
import { useAction } from '../../../gateway/queries.ts'
import { channelQueries } from '../channel-queries.ts'

interface BulkTagDialogProps {
  ids: number[]
  onClose: () => void
}

const labels = {
  tag: 'channelForm.tag',
} as const

export function BulkTagDialog({ ids, onClose }: BulkTagDialogProps) {
  const { t } = useTranslation()
  const [tag, setTag] = useState('')
  const setTags = useAction('channel.batch-tag', channelQueries)
  const { at, rest } = splitFailure(setTags.failure, labels, t)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (await setTags.run({ ids, tag: tag.trim() || null })) onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="sm"
      title={t('channelBulk.tagTitle', { count: ids.length })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form onSubmit={(event) => void save(event)}>
        <Stack gap="md">
          <TextInput
            label={t('channelForm.tag')}
            description={t('channelBulk.tagHint')}
            data-autofocus
            value={tag}
            error={at.tag}
            onChange={(event) => setTag(event.currentTarget.value)}
          />
          <FailureNote failure={rest} />
          <Group justify="flex-end" gap={8}>
            {!setTags.busy && (
              <Button variant="default" onClick={onClose}>
                {t('common.cancel')}
              </Button>
            )}
            <ActionButton
              type="submit"
              busy={setTags.busy}
              busyLabel={t('common.saving')}
              onCancel={setTags.cancel}
            >
              {t(tag.trim() === '' ? 'channelBulk.removeTag' : 'channelBulk.setTag')}
            </ActionButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
