import { Checkbox, NativeSelect, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationInput, OperationOutput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { needsStepUp } from '../../../components/step-up/needs-step-up.ts'
import { StepUp } from '../../../components/step-up/step-up.tsx'
import { useAction } from '../../../gateway/queries.ts'

type Choice = NonNullable<OperationInput<'transfer.apply'>['conflicts']>[string]
const choices: readonly Choice[] = ['keep', 'replace', 'both']

interface ImportPreviewProps {
  preview: OperationOutput<'transfer.preview'>
  onApplied: (applied: OperationOutput<'transfer.apply'>) => void
}

/** New and changed entries are ticked at first; the same ones can’t be. */
export function ImportPreview({ preview, onApplied }: ImportPreviewProps) {
  const { t } = useTranslation()
  const { items, left_out: leftOut } = preview
  const offered = items.filter(({ state }) => state !== 'same')
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    () => new Set(offered.map(({ id }) => id)),
  )
  const [conflicts, setConflicts] = useState<Record<string, Choice>>({})
  const apply = useAction('transfer.apply', ['option.list', 'channel.list', 'token.list'])
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
  return (
    <Stack gap="md">
      <Table.ScrollContainer minWidth={520}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col" w={36}>
                <Checkbox
                  aria-label={t('transfer.all')}
                  checked={ticked.size > 0 && ticked.size === offered.length}
                  indeterminate={ticked.size > 0 && ticked.size < offered.length}
                  disabled={offered.length === 0}
                  onChange={({ currentTarget: { checked } }) =>
                    setTicked(new Set(checked ? offered.map(({ id }) => id) : []))
                  }
                />
              </Table.Th>
              {(['part', 'name', 'state', 'detail'] as const).map((head) => (
                <Table.Th key={head} scope="col">
                  {t(`transfer.${head}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map(({ id, part, name, state, fields, notes }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Checkbox
                    aria-label={t('transfer.take', { name })}
                    checked={ticked.has(id)}
                    disabled={state === 'same'}
                    onChange={({ currentTarget: { checked } }) => tick(id, checked)}
                  />
                </Table.Td>
                <Table.Td>{t(`transfer.part_${part}`)}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
                <Table.Td>
                  {state === 'conflict' ? (
                    <NativeSelect
                      aria-label={t('transfer.conflictOf', { name })}
                      size="xs"
                      value={conflicts[id] ?? 'keep'}
                      data={choices.map((value) => ({
                        value,
                        label: t(`transfer.choice_${value}`),
                      }))}
                      onChange={({ currentTarget: { value } }) =>
                        setConflicts({ ...conflicts, [id]: value as Choice })
                      }
                    />
                  ) : (
                    t(`transfer.state_${state}`)
                  )}
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {[
                    ...fields,
                    ...notes.map(({ code, of }) => t(`importReport.note_${code}`, { of })),
                  ].join(', ') || '–'}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
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
  const { name, reason, coded } = row
  if (!coded) return `${name}: ${reason}`
  const { subject, of, params } = coded
  const what = subject === null ? of : t(`importReport.subject_${subject}`, { of })
  return `${what}: ${t(`importReport.reason_${coded.reason}`, { replace: params })}`
}
