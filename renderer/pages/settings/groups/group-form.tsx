import { Alert, Button, Group, Stack, Switch, TagsInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { JsonField } from '../../../components/forms/json-field.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useUnsaved } from '../../../components/leaving/use-unsaved.ts'
import { useAction } from '../../../gateway/queries.ts'
import {
  type GroupDraft,
  type GroupDrafts,
  nameUsedTwice,
  optionsOfGroups,
  readGroups,
} from './group-draft.ts'
import { GroupTable } from './group-table.tsx'

/** Without the spaces between values; what is no JSON as it is. */
function compactJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

/** Saves changed options one by one and stops at the first refusal. */
export function GroupForm({ stored }: { stored: ReadonlyMap<string, string> }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<GroupDrafts>(() => readGroups(stored))
  const [saved, setSaved] = useState(false)
  const update = useAction('option.update', ['option.list', 'group.list', 'user.self-groups'])
  const before = new Map(optionsOfGroups(readGroups(stored)))
  const edited = optionsOfGroups(draft).filter(
    ([key, value]) => compactJson(value) !== compactJson(before.get(key) ?? ''),
  )
  useUnsaved(edited.length > 0)
  const twice = nameUsedTwice(draft)
  const change = (fields: Partial<GroupDrafts>) => {
    setDraft((current) => ({ ...current, ...fields }))
    setSaved(false)
  }
  const changeGroup = (id: number, fields: Partial<GroupDraft>) =>
    change({ groups: draft.groups.map((one) => (one.id === id ? { ...one, ...fields } : one)) })
  const add = () => {
    const id = Math.max(-1, ...draft.groups.map((one) => one.id)) + 1
    const blank = { id, name: '', ratio: 1, topUpRatio: '', usable: false, description: '' }
    change({ groups: [...draft.groups, blank] })
  }

  const save = async (event: FormEvent) => {
    event.preventDefault()
    for (const [key, value] of edited) {
      if (!(await update.run({ key, value }))) return
    }
    setSaved(true)
  }

  const names = draft.groups.map(({ name }) => name.trim()).filter((name) => name !== '')
  const isDefault = stored.get('DefaultUseAutoGroup') === 'true'
  return (
    <form onSubmit={(event) => void save(event)}>
      <Stack gap="md">
        <Panel
          title={t('groups.title')}
          hint={t('groups.hint')}
          flush
          actions={
            <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
              {t('groups.add')}
            </Button>
          }
        >
          <GroupTable
            groups={draft.groups}
            onChange={changeGroup}
            onRemove={(id) => change({ groups: draft.groups.filter((one) => one.id !== id) })}
          />
        </Panel>
        <Panel title={t('groups.autoTitle')} hint={t('groups.autoHint')}>
          <Stack gap="sm">
            <TagsInput
              label={t('groups.autoOrder')}
              data={names}
              value={draft.auto}
              acceptValueOnBlur
              onChange={(auto) => change({ auto })}
            />
            <Switch
              label={t('groups.autoDefault')}
              checked={isDefault}
              onChange={(event) =>
                void update.run({ key: 'DefaultUseAutoGroup', value: event.currentTarget.checked })
              }
            />
          </Stack>
        </Panel>
        <Panel title={t('groups.specialTitle')} hint={t('groups.specialHint')}>
          <JsonField
            label={t('groups.special')}
            value={draft.special}
            onChange={(special) => change({ special })}
          />
        </Panel>
        {twice && <Alert color="red">{t('groups.duplicate', { name: twice })}</Alert>}
        <FailureNote failure={update.failure} />
        <Group gap={12}>
          <ActionButton
            type="submit"
            disabled={twice !== null}
            busy={update.busy}
            busyLabel={t('common.saving')}
            onCancel={update.cancel}
          >
            {t('groups.save')}
          </ActionButton>
          {saved && <span role="status">{t('groups.saved')}</span>}
        </Group>
      </Stack>
    </form>
  )
}
