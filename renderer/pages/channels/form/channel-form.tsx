import { Button, Collapse, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
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
import type { ChannelCheck, ChannelPreset, ChannelRecord } from '../../../gateway/records.ts'
import { channelQueries } from '../channel-queries.ts'
import { CheckResult } from '../check/check-result.tsx'
import { unlistedModels } from '../check/listed-models.ts'
import { useChannelCheck } from '../check/use-channel-check.ts'
import { AddressField } from './address-field.tsx'
import { AdvancedFields } from './advanced-fields.tsx'
import {
  type ChannelDraft,
  changesOfDraft,
  draftOfChannel,
  draftOfPreset,
  echoType,
  fieldsOfDraft,
  isAddressChanged,
  modeOfDraft,
} from './channel-draft.ts'
import { advancedFields, channelLabels } from './channel-fields.ts'
import { KeyField } from './key-field.tsx'
import { ModelsField } from './models-field.tsx'
import { MultiKeyFields } from './multi-key-fields.tsx'
import { usePresetText } from './use-preset-text.ts'

/** The result of the check with which a channel was added. */
export interface PassedCheck {
  name: string
  result: ChannelCheck
}

type ChannelFormProps = {
  onDone: (passed?: PassedCheck) => void
  /** A new channel is checked before it is added; one that fails can be saved all the same. */
  checksFirst?: boolean
} & (
  | {
      stored: ChannelRecord
      /** Whether a step-up dialog stands above the form. */
      onStepUp: (isOpen: boolean) => void
    }
  | { preset: ChannelPreset; onBack: () => void }
)

export function ChannelForm(props: ChannelFormProps) {
  const { t } = useTranslation()
  const stored = 'stored' in props ? props.stored : undefined
  const { noteOf } = usePresetText()
  const storedPreset = usePreset(stored)
  const preset = 'preset' in props ? props.preset : storedPreset
  // The record may be read again during the edit; changes are relative to this first version.
  const [read] = useState(stored)
  const [draft, setDraft] = useState<ChannelDraft>(() =>
    'stored' in props ? draftOfChannel(props.stored) : draftOfPreset(props.preset),
  )
  useUnsavedDraft(draft)
  const [advanced, { toggle: toggleAdvanced }] = useDisclosure(false)
  const create = useAction('channel.create', channelQueries)
  const update = useAction('channel.update', channelQueries)
  const action = stored ? update : create
  const check = useChannelCheck(draft, read)
  const isStepUp = needsStepUp(action.failure)
  const refusal = isStepUp ? null : (action.failure ?? check.failure)
  const form = useFocusError(refusal)
  const { at, rest } = splitFailure(refusal, channelLabels, t)
  const checksFirst = props.checksFirst === true && !stored
  const onStepUp = 'onStepUp' in props ? props.onStepUp : undefined
  useEffect(() => onStepUp?.(isStepUp), [onStepUp, isStepUp])
  const set = (fields: Partial<ChannelDraft>) => setDraft((current) => ({ ...current, ...fields }))
  const jsonIsFine = [draft.paramOverride, draft.headerOverride, draft.statusMapping].every(
    (text) => jsonObjectProblem(text) === null,
  )

  const save = async (passed?: PassedCheck, models = draft.models) => {
    check.reset()
    const reply =
      read && stored
        ? await update.run({ id: read.id, ...changesOfDraft(draft, read, stored) })
        : await create.run({
            ...modeOfDraft(draft),
            channel: fieldsOfDraft({ ...draft, models }),
          })
    if (reply) props.onDone(passed)
  }

  const runCheck = () => {
    action.reset()
    return check.run()
  }

  const checkAndSave = async () => {
    const result = await runCheck()
    if (!result?.ok) return
    const listed = result.models ?? []
    // Nobody has chosen the preset's models: if the vendor has none of them, its own are taken.
    const isUseless =
      listed.length > 0 && unlistedModels(draft, listed).length === draft.models.length
    await save({ name: draft.name, result }, isUseless ? listed.slice() : draft.models)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    void (checksFirst ? checkAndSave() : save())
  }

  const isMoved = read !== undefined && isAddressChanged(draft, read)
  const parts = { draft, set, at, preset, stored, isMoved }
  const isOpen = advanced || advancedFields.some((field) => at[field])
  return (
    <form ref={form} onSubmit={submit}>
      {isStepUp && (
        <StepUp
          failure={action.failure}
          purpose={t('channelForm.stepUp', { name: stored?.name })}
          onVerified={() => void save()}
          onClose={action.reset}
        />
      )}
      <Stack gap="md">
        <TextInput
          label={t('channelForm.name')}
          // Also after the list of vendors, which went with the focus.
          autoFocus={stored === undefined}
          data-autofocus
          value={draft.name}
          error={at.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        {preset?.note && (
          <Text c="dimmed" mt={-8}>
            {noteOf(preset)}
          </Text>
        )}
        {draft.type !== echoType && (
          <>
            <KeyField {...parts} />
            <MultiKeyFields {...parts} />
            <AddressField {...parts} />
          </>
        )}
        <ModelsField {...parts} />
        <div>
          <Button
            variant="subtle"
            color="gray"
            ml={-10}
            onClick={toggleAdvanced}
            aria-expanded={advanced}
            rightSection={advanced ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
          >
            {t('common.advanced')}
          </Button>
          <Collapse expanded={isOpen} mt="sm">
            {/* Rendered only when open: its many fields slow down typing in the others. */}
            {isOpen && <AdvancedFields {...parts} />}
          </Collapse>
        </div>
        {check.result && (
          <CheckResult
            result={check.result}
            draft={draft}
            preset={preset?.models ?? []}
            onUse={(models) => set({ models })}
          />
        )}
        <FailureNote failure={rest} />
        <Group justify="space-between" gap={8}>
          {'onBack' in props ? (
            <Button variant="subtle" color="gray" onClick={props.onBack}>
              {t('common.back')}
            </Button>
          ) : (
            <span />
          )}
          <Group gap={8} justify="flex-end">
            {checksFirst ? (
              check.result?.ok === false &&
              !check.busy && (
                <Button
                  variant="default"
                  disabled={!jsonIsFine || action.busy}
                  onClick={() => void save()}
                >
                  {t('channelCheck.saveAnyway')}
                </Button>
              )
            ) : (
              <ActionButton
                variant="default"
                disabled={!jsonIsFine || action.busy}
                busy={check.busy}
                busyLabel={t('channelCheck.checking')}
                onCancel={check.cancel}
                onClick={() => void runCheck()}
              >
                {t('channelCheck.check')}
              </ActionButton>
            )}
            <ActionButton
              type="submit"
              disabled={!jsonIsFine}
              busy={action.busy || (checksFirst && check.busy)}
              busyLabel={t(action.busy ? 'common.saving' : 'channelCheck.checking')}
              onCancel={action.busy ? action.cancel : check.cancel}
            >
              {checksFirst
                ? t('channelCheck.checkAndAdd')
                : stored
                  ? t('common.save')
                  : t('channels.add')}
            </ActionButton>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}

/** The preset that the channel was made from, else the first of its type. */
function usePreset(channel: ChannelRecord | undefined): ChannelPreset | undefined {
  const presets = useOperation('channel.presets', {})
  if (!channel) return undefined
  const list = presets.data ?? []
  return (
    list.find(({ id }) => id === channel.preset) ?? list.find(({ type }) => type === channel.type)
  )
}
