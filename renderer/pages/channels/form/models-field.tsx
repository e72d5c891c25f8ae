import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCloudDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationInput } from '../../../../preload/contract.ts'
import { Busy } from '../../../components/feedback/busy.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { TagsInput } from '../../../components/forms/option-lists.tsx'
import { useAction } from '../../../gateway/queries.ts'
import { fieldsOfDraft } from './channel-draft.ts'
import type { ChannelFormPart } from './channel-fields.ts'
import { ModelChecklist } from './model-checklist.tsx'

export function ModelsField({ draft, set, at, preset, stored }: ChannelFormPart) {
  const { t } = useTranslation()
  const [listed, setListed] = useState<readonly string[]>([])
  const [choosing, checklist] = useDisclosure(false)
  const fetchNew = useAction('channel.fetch-models')
  const fetchStored = useAction('channel.fetch-models-of')
  // The stored key can be used as long as its address is unchanged.
  const useStored =
    stored !== undefined && draft.key === '' && draft.baseUrl.trim() === (stored.base_url ?? '')
  const action = useStored ? fetchStored : fetchNew

  const fetchModels = async () => {
    const reply = useStored
      ? await fetchStored.run({ id: stored.id })
      : await fetchNew.run(vendorFields(draft, stored))
    if (!reply) return
    setListed(reply.data)
    checklist.open()
  }

  return (
    <div>
      <TagsInput
        label={t('channelForm.models')}
        description={t('channelForm.modelsHint')}
        data={(preset?.models ?? []).filter((model) => !draft.models.includes(model))}
        value={draft.models}
        error={at.models}
        splitChars={[',', ' ', '\n']}
        acceptValueOnBlur
        clearable
        onChange={(models) => set({ models })}
      />
      <Group mt={8} gap={8}>
        {action.busy ? (
          <Busy label={t('channelForm.fetching')} onCancel={action.cancel} />
        ) : (
          <Button
            variant="default"
            leftSection={<IconCloudDownload size={14} />}
            onClick={() => void fetchModels()}
          >
            {t('channelForm.fetch')}
          </Button>
        )}
      </Group>
      {action.failure && (
        <div style={{ marginTop: 8 }}>
          <FailureNote failure={action.failure} />
        </div>
      )}
      {choosing && (
        <ModelChecklist
          listed={listed}
          chosen={draft.models}
          onUse={(models) => {
            set({ models })
            checklist.close()
          }}
          onClose={checklist.close}
        />
      )}
    </div>
  )
}

/** The fields of the draft that a request to the vendor needs. */
function vendorFields(
  draft: ChannelFormPart['draft'],
  stored: ChannelFormPart['stored'],
): OperationInput<'channel.fetch-models'> {
  const fields = fieldsOfDraft(draft, stored)
  return {
    type: draft.type,
    key: fields.key ?? '',
    base_url: fields.base_url,
    other: fields.other,
    preset: fields.preset,
    settings: fields.settings,
    openai_organization: fields.openai_organization,
    header_override: fields.header_override,
  }
}
