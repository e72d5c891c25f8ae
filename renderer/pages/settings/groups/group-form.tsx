import { Alert, Button, Group, Stack, Switch } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { ConfirmDialog } from '../../../components/actions/confirm-dialog.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import { JsonField } from '../../../components/forms/json-field.tsx'
import { TagsInput } from '../../../components/forms/option-lists.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useUnsaved } from '../../../components/leaving/use-unsaved.ts'
import { useAction, useOperations } from '../../../gateway/queries.ts'
import {
  type GroupDraft,
  type GroupDrafts,
  namesOf,
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
  const format = useFormat()
  const [draft, setDraft] = useState<GroupDrafts>(() => readGroups(stored))
  const [saved, setSaved] = useState(false)
  const update = useAction('option.update', ['option.list', 'group.list', 'user.self-groups'])
  const [isNameAsked, setNameAsked] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const before = new Map(optionsOfGroups(readGroups(stored)))
  const edited = optionsOfGroups(draft).filter(
    ([key, value]) => compactJson(value) !== compactJson(before.get(key) ?? ''),
  )
  const names = namesOf(draft)
  const isNameless = names.length < draft.groups.length
  const removed = namesOf(readGroups(stored)).filter((name) => !names.includes(name))
  const pages = useOperations(
    'user.search',
    isAsking ? removed.map((group) => ({ group, page_size: 1 })) : [],
  )
  const users = pages.reduce((sum, page) => sum + (page?.total ?? Number.NaN), 0)
  useUnsaved(edited.length > 0 || isNameless)
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

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setNameAsked(isNameless)
    if (isNameless) return
    if (removed.length > 0) setAsking(true)
    else void save()
  }

  const save = async () => {
    for (const [key, value] of edited) {
      if (!(await update.run({ key, value }))) return
    }
    setSaved(true)
    setAsking(false)
  }

  const isDefault = stored.get('DefaultUseAutoGroup') === 'true'
  return (
    <form onSubmit={submit}>
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
        {isNameless && isNameAsked && <Alert color="red">{t('groups.nameless')}</Alert>}
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
      <ConfirmDialog
        opened={isAsking}
        title={t('groups.removeTitle', { names: format.list(removed) })}
        text={
          Number.isNaN(users) ? t('groups.removeUsers') : t('groups.removeText', { count: users })
        }
        verb={t('groups.save')}
        busyLabel={t('common.saving')}
        busy={update.busy}
        failure={update.failure}
        onConfirm={() => void save()}
        onCancelRun={update.cancel}
        onClose={() => setAsking(false)}
      />
    </form>
  )
}
