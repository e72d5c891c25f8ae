import { Group, Stack, Switch } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { NumberField } from '../../components/forms/number-field.tsx'
import { splitFailure } from '../../components/forms/split-failure.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { useUnsaved } from '../../components/leaving/use-unsaved.ts'
import { useAction, useOperation } from '../../gateway/queries.ts'
import { useIsShared } from '../../gateway/use-is-shared.ts'
import { NoticeFields } from './notice-fields.tsx'
import {
  draftOfPreferences,
  fieldsOfPreferences,
  type PreferencesDraft,
  preferenceLabels,
} from './preferences-draft.ts'
import { TestNotice } from './test-notice.tsx'

export function Preferences() {
  const { t } = useTranslation()
  const isShared = useIsShared()
  const self = useOperation('user.self', {})
  return (
    <Panel
      title={t(isShared ? 'settings.preferences' : 'settings.notices')}
      hint={t(isShared ? 'settings.preferencesHint' : 'settings.noticesHint')}
    >
      <QueryView query={self} verb={t('settings.loadingPreferences')}>
        {({ setting }) => <PreferencesForm setting={setting} />}
      </QueryView>
    </Panel>
  )
}

function PreferencesForm({ setting }: { setting: string }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => draftOfPreferences(setting))
  const isShared = useIsShared()
  const [saved, setSaved] = useState(false)
  const [changed, setChanged] = useState(false)
  useUnsaved(changed)
  const save = useAction('user.setting', ['user.self'])
  const { at, rest } = splitFailure(save.failure, preferenceLabels, t)
  const set = (fields: Partial<PreferencesDraft>) => {
    setDraft((current) => ({ ...current, ...fields }))
    setSaved(false)
    setChanged(true)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await save.run(fieldsOfPreferences(draft)))) return
    setSaved(true)
    setChanged(false)
    // Secrets are write-only.
    setDraft((current) => ({ ...current, webhookSecret: '', gotifyToken: '' }))
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        {isShared && (
          <NumberField
            label={t('settings.warnBelow')}
            description={t('settings.warnBelowHint')}
            prefix="$"
            maw={280}
            min={0}
            value={draft.dollars}
            error={at.quota_warning_threshold}
            onChange={(dollars) => set({ dollars })}
          />
        )}
        <NoticeFields draft={draft} set={set} at={at} />
        {isShared && (
          <Switch
            label={t('settings.acceptUnpriced')}
            description={t('settings.acceptUnpricedHint')}
            checked={draft.acceptsUnpriced}
            onChange={(event) => set({ acceptsUnpriced: event.currentTarget.checked })}
          />
        )}
        <Switch
          label={t('settings.showAddresses')}
          checked={draft.showsAddresses}
          onChange={(event) => set({ showsAddresses: event.currentTarget.checked })}
        />
        <FailureNote failure={rest} />
        <Group gap={12}>
          <ActionButton
            type="submit"
            busy={save.busy}
            busyLabel={t('common.saving')}
            onCancel={save.cancel}
          >
            {t('settings.savePreferences')}
          </ActionButton>
          {saved && <span role="status">{t('settings.preferencesSaved')}</span>}
        </Group>
        {draft.kind !== 'email' && <TestNotice unsaved={changed} />}
      </Stack>
    </form>
  )
}
