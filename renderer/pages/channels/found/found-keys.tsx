import { Button, Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { splitFailure } from '../../../components/forms/split-failure.ts'
import type { FoundKey } from '../../../gateway/records.ts'
import { channelQueries } from '../channel-queries.ts'
import type { PassedCheck } from '../form/channel-form.tsx'
import { FoundKeyRow } from './found-key-row.tsx'
import styles from './found-keys.module.css'
import { type KeyFacts, useTakeKeys } from './use-take-keys.ts'

interface FoundKeysProps {
  found: readonly FoundKey[]
  /** All that were ticked are channels; or the person goes on without those that were refused. */
  onDone?: (passed: readonly PassedCheck[]) => void
}

const labels = {
  base_url: 'channelForm.baseUrl',
  models: 'channelForm.models',
} as const

/** Keys of this machine, none ticked at first. Each is checked before it becomes a channel. */
export function FoundKeys({ found, onDone }: FoundKeysProps) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [facts, setFacts] = useState<Readonly<Record<string, KeyFacts>>>({})
  const take = useTakeKeys()
  const isBusy = take.current !== null
  const isTaken = ({ id, channel }: FoundKey) => channel !== null || take.outcomes[id]?.isTaken
  const chosen = found.filter((one) => ticked.has(one.id) && !isTaken(one))
  const factsOf = (key: FoundKey): KeyFacts => (key.needs.length > 0 ? (facts[key.id] ?? {}) : {})
  const lacks = chosen.some((key) => key.needs.some((field) => !factsOf(key)[field]?.trim()))
  const outcomes = Object.values(take.outcomes)
  const isMixed = new Set(outcomes.map((one) => one.isTaken)).size > 1
  const { at, rest } = splitFailure(take.failure, labels, t)

  const finish = () => {
    for (const read of [...channelQueries, 'transfer.found']) {
      void queryClient.invalidateQueries({ queryKey: [read] })
    }
    onDone?.(take.passed)
  }
  const run = async (keys: readonly FoundKey[], check: boolean) => {
    const areAllTaken = await take.takeAll(keys, factsOf, check)
    if (areAllTaken || !onDone) finish()
  }
  const tick = (id: string, isTicked: boolean) => {
    const next = new Set(ticked)
    if (isTicked) next.add(id)
    else next.delete(id)
    setTicked(next)
  }

  return (
    <Stack gap="sm">
      <ul className={styles.list} aria-label={t('foundKeys.title')}>
        {found.map((key) => (
          <FoundKeyRow
            key={key.id}
            found={key}
            isTicked={ticked.has(key.id)}
            onTick={(isTicked) => tick(key.id, isTicked)}
            facts={facts[key.id] ?? {}}
            onFacts={(one) => setFacts({ ...facts, [key.id]: one })}
            problems={take.last?.id === key.id ? at : {}}
            outcome={take.outcomes[key.id]}
            isBusy={isBusy}
            onTakeAnyway={() => void run([key], false)}
          />
        ))}
      </ul>
      <FailureNote failure={rest} />
      <Group gap={8} justify="flex-end">
        {onDone && isMixed && !isBusy && (
          <Button variant="default" onClick={finish}>
            {t('foundKeys.goOn')}
          </Button>
        )}
        <ActionButton
          disabled={chosen.length === 0 || lacks}
          busy={isBusy}
          busyLabel={t('foundKeys.checking', { name: take.current?.name })}
          onCancel={take.cancel}
          onClick={() => void run(chosen, true)}
        >
          {t('foundKeys.take', { count: chosen.length })}
        </ActionButton>
      </Group>
    </Stack>
  )
}
