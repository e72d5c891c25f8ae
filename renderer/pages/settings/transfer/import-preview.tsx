import { Checkbox, NativeSelect, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationInput, OperationOutput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useUnsavedDraft } from '../../../components/leaving/use-unsaved.ts'
import { needsStepUp } from '../../../components/step-up/needs-step-up.ts'
import { StepUp } from '../../../components/step-up/step-up.tsx'
import { useAction } from '../../../gateway/queries.ts'

type Choice = NonNullable<OperationInput<'transfer.apply'>['conflicts']>[string]
const choices: readonly Choice[] = ['keep', 'both', 'replace']

type Item = OperationOutput<'transfer.preview'>['items'][number]

/** There can’t be two users of one name. */
const choicesOf = ({ part }: Item) => choices.filter((one) => one !== 'both' || part !== 'users')

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
  const tick = (id: string, isTicked: boolean) => {
    const next = new Set(ticked)
    if (isTicked) next.add(id)
    else next.delete(id)
    setTicked(next)
  }
  const choose = (id: string, choice: Choice) => {
    setConflicts({ ...conflicts, [id]: choice })
    tick(id, choice !== 'keep')
  }
  const toggle = (item: Item, isTicked: boolean) => {
    if (item.state !== 'conflict') tick(item.id, isTicked)
    else choose(item.id, (isTicked && choicesOf(item)[1]) || 'keep')
  }
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
          {items.map((item) => {
            const { id, part, name, state } = item
            return (
              <Table.Tr key={id}>
                <Table.Td>
                  <Checkbox
                    aria-label={t('transfer.take', { name })}
                    checked={ticked.has(id)}
                    disabled={state === 'same'}
                    onChange={({ currentTarget: { checked } }) => toggle(item, checked)}
                  />
                </Table.Td>
                <Table.Td className="wide-only" style={{ whiteSpace: 'nowrap' }}>
                  {t(`transfer.part_${part}`)}
                </Table.Td>
                <Table.Td w="100%" style={{ overflowWrap: 'anywhere' }}>
                  {name}
                  <Text component="span" c="dimmed" fz={12} className="narrow-only">
                    {' '}
                    {t(`transfer.part_${part}`)}
                  </Text>
                  <ItemDetail item={item} />
                </Table.Td>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  {state === 'conflict' ? (
                    <NativeSelect
                      aria-label={t('transfer.conflictOf', { name })}
                      miw={130}
                      value={conflicts[id] ?? 'keep'}
                      data={choicesOf(item).map((value) => ({
                        value,
                        label: t(`transfer.choice_${value}`),
                      }))}
                      onChange={({ currentTarget: { value } }) => choose(id, value as Choice)}
                    />
                  ) : (
                    t(`transfer.state_${state}`)
                  )}
                </Table.Td>
              </Table.Tr>
            )
          })}
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

/** Each field that would change, and what is left to do. */
function ItemDetail({ item: { changes, notes } }: { item: Item }) {
  const { t } = useTranslation()
  return (
    <Text component="div" c="dimmed" fz={12}>
      {notes.map(({ code, of }) => (
        <div key={`${code} ${of}`}>{t(`importReport.note_${code}`, { of })}</div>
      ))}
      {changes.map(({ field, from, to }) => (
        <div key={field}>
          <span className="mono">{field}</span>: {from} → {to}
        </div>
      ))}
    </Text>
  )
}

/** In the reader’s language where it has codes. */
function LeftOutLine({ row }: { row: OperationOutput<'transfer.preview'>['left_out'][number] }) {
  const { t } = useTranslation()
  const { name, reason, coded } = row
  if (!coded) return `${name}: ${reason}`
  const { subject, of, params } = coded
  const what = subject === null ? of : t(`importReport.subject_${subject}`, { of })
  return `${what}: ${t(`importReport.reason_${coded.reason}`, { replace: params })}`
}
