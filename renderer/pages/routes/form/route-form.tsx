import { Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useFocusError } from '../../../components/forms/use-focus-error.ts'
import { useTextLimit } from '../../../components/forms/use-text-limit.ts'
import { useUnsavedDraft } from '../../../components/leaving/use-unsaved.ts'
import { useAction } from '../../../gateway/queries.ts'
import type { RouteRecord } from '../../../gateway/records.ts'
import { routeQueries } from '../route-queries.ts'
import { useRouteChoices } from '../use-route-choices.ts'
import { draftOfRoute, inputOfDraft, newRouteDraft, type RouteDraft } from './route-draft.ts'
import { longestRouteName, routeErrors } from './route-fields.ts'
import styles from './route-form.module.css'
import { RuleList } from './rule-list.tsx'
import { TargetList } from './target-list.tsx'

interface RouteFormProps {
  stored?: RouteRecord
  onSaved: () => void
}

export function RouteForm({ stored, onSaved }: RouteFormProps) {
  const { t } = useTranslation()
  const limited = useTextLimit()
  const [draft, setDraft] = useState<RouteDraft>(() =>
    stored ? draftOfRoute(stored) : newRouteDraft(),
  )
  const input = inputOfDraft(draft)
  useUnsavedDraft(input)
  const choices = useRouteChoices()
  const create = useAction('route.create', routeQueries)
  const update = useAction('route.update', routeQueries)
  const action = stored ? update : create
  const form = useFocusError(action.failure)
  const { at, rest } = routeErrors(action.failure, t)
  const set = (fields: Partial<RouteDraft>) => setDraft((current) => ({ ...current, ...fields }))

  /** The refused field's path names its place, which another row may take. */
  const arrange = (fields: Partial<RouteDraft>) => {
    if (layoutOf({ ...draft, ...fields }) !== layoutOf(draft)) action.reset()
    set(fields)
  }

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const reply = stored
      ? await update.run({ id: stored.id, status: stored.status, ...input })
      : await create.run(input)
    if (reply) onSaved()
  }

  return (
    <form ref={form} onSubmit={(event) => void save(event)}>
      <Stack gap="md">
        <TextInput
          label={t('routes.name')}
          data-autofocus
          value={draft.name}
          {...limited(draft.name, longestRouteName, {
            description: t('routes.nameHint'),
            error: at('name'),
          })}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <section aria-labelledby="route-targets">
          <h3 className={styles.heading} id="route-targets">
            {t('routes.targets')}
          </h3>
          <Text c="dimmed">{t('routes.targetsHint')}</Text>
          <TargetList
            targets={draft.targets}
            choices={choices}
            path="targets"
            at={at}
            onChange={(targets) => arrange({ targets })}
          />
        </section>
        <section aria-labelledby="route-rules">
          <h3 className={styles.heading} id="route-rules">
            {t('routes.rules')}
          </h3>
          <Text c="dimmed">{t('routes.rulesHint')}</Text>
          <RuleList
            rules={draft.rules}
            choices={choices}
            at={at}
            onChange={(rules) => arrange({ rules })}
          />
        </section>
        <FailureNote failure={rest} />
        <Group justify="flex-end">
          <ActionButton
            type="submit"
            busy={action.busy}
            busyLabel={stored ? t('common.saving') : t('routes.creating')}
            onCancel={action.cancel}
          >
            {stored ? t('common.save') : t('routes.create')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

/** Which rows there are, in which order. */
const layoutOf = ({ targets, rules }: RouteDraft): string =>
  JSON.stringify([
    targets.map(({ key }) => key),
    rules.map((rule) => [rule.key, Object.keys(rule.when), rule.targets.map(({ key }) => key)]),
  ])
