import { Checkbox, Stack, Table, Text } from '@mantine/core'
import { useCallback, useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useUnsavedDraft } from '../../../components/leaving/use-unsaved.ts'
import { needsStepUp } from '../../../components/step-up/needs-step-up.ts'
import { StepUp } from '../../../components/step-up/step-up.tsx'
import { useAction } from '../../../gateway/queries.ts'
import { useSentence } from '../../../i18n/use-sentence.ts'
import { type Choice, choicesOf, ImportRow, type Item } from './import-row.tsx'

const FIRST_ROWS = 50

/** Queries to read again after an import. */
const written = ['option.list', 'channel.list', 'token.list'] as const

interface ImportPreviewProps {
  preview: OperationOutput<'transfer.preview'>
  onApplied: (applied: OperationOutput<'transfer.apply'>) => void
}

/** The gateway says what is ticked at first. An entry that conflicts is ticked once it is replaced or added. */
export function ImportPreview({ preview, onApplied }: ImportPreviewProps) {
  const { t } = useTranslation()
  const { items, left_out: leftOut } = preview
  // A screenful at once, and the rest when it is there.
  const drawn = useDeferredValue(items, items.slice(0, FIRST_ROWS))
  const offered = items.filter(({ state }) => state === 'new' || state === 'changed')
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    () => new Set(items.filter((one) => one.ticked).map(({ id }) => id)),
  )
  const [conflicts, setConflicts] = useState<Record<string, Choice>>({})
  useUnsavedDraft(items.map(({ id }) => [ticked.has(id), conflicts[id] ?? 'keep']))
  const apply = useAction('transfer.apply', [...written, 'transfer.last'])
  const run = async () => {
    const reply = await apply.run({ preview_id: preview.preview_id, items: [...ticked], conflicts })
    if (reply) onApplied(reply.data)
  }
  const tick = useCallback((id: string, isTicked: boolean) => {
    setTicked((before) => {
      const next = new Set(before)
      if (isTicked) next.add(id)
      else next.delete(id)
      return next
    })
  }, [])
  const choose = useCallback(
    (id: string, choice: Choice) => {
      setConflicts((before) => ({ ...before, [id]: choice }))
      tick(id, choice !== 'keep')
    },
    [tick],
  )
  const toggle = useCallback(
    (item: Item, isTicked: boolean) => {
      if (item.state !== 'conflict') tick(item.id, isTicked)
      else choose(item.id, (isTicked && choicesOf(item)[1]) || 'keep')
    },
    [tick, choose],
  )
  return (
    <Stack gap="md">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" w={36}>
              <Checkbox
                aria-label={t('transfer.all')}
                checked={offered.length > 0 && offered.every(({ id }) => ticked.has(id))}
                indeterminate={ticked.size > 0 && !offered.every(({ id }) => ticked.has(id))}
                disabled={offered.length === 0}
                onChange={({ currentTarget: { checked } }) => {
                  setTicked(new Set(checked ? offered.map(({ id }) => id) : []))
                  setConflicts({})
                }}
              />
            </Table.Th>
            <Table.Th scope="col" className="wide-only">
              {t('transfer.part')}
            </Table.Th>
            <Table.Th scope="col">{t('transfer.name')}</Table.Th>
            <Table.Th scope="col">{t('transfer.state')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {drawn.map((item) => (
            <ImportRow
              key={item.id}
              item={item}
              isTicked={ticked.has(item.id)}
              choice={conflicts[item.id] ?? 'keep'}
              onTick={toggle}
              onChoose={choose}
            />
          ))}
        </Table.Tbody>
      </Table>
      {leftOut.length > 0 && (
        <div>
          <Text fw={500}>{t('transfer.leftOut')}</Text>
          <ul style={{ margin: 0, paddingInlineStart: 20 }}>
            {leftOut.map((row) => (
              <li key={`${row.name} ${row.reason}`} style={{ overflowWrap: 'anywhere' }}>
                <LeftOutLine row={row} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {!needsStepUp(apply.failure) && <FailureNote failure={apply.failure} />}
      <ActionButton
        disabled={ticked.size === 0}
        busy={apply.busy}
        busyLabel={t('transfer.importing')}
        onCancel={apply.cancel}
        onClick={() => void run()}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('transfer.apply', { count: ticked.size })}
      </ActionButton>
      <StepUp
        failure={apply.failure}
        purpose={t('transfer.importPurpose')}
        onVerified={() => void run()}
        onClose={apply.reset}
      />
    </Stack>
  )
}

/** In the reader’s language where it has codes. */
function LeftOutLine({ row }: { row: OperationOutput<'transfer.preview'>['left_out'][number] }) {
  const { t } = useTranslation()
  const say = useSentence()
  const { name, reason, coded, refused } = row
  if (refused) {
    const { part, field, reason: code } = refused
    const sentence = say({ message: reason, reason: code, field: field ?? undefined })
    return `${t(`transfer.part_${part}`)}: ${refused.name}: ${sentence}`
  }
  if (!coded) return `${name}: ${reason}`
  const { subject, of, params } = coded
  const what = subject === null ? of : t(`importReport.subject_${subject}`, { of })
  return `${what}: ${t(`importReport.reason_${coded.reason}`, { replace: params })}`
}
