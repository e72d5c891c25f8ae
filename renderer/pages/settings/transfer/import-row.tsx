import { Checkbox, NativeSelect, Table, Text } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationInput, OperationOutput } from '../../../../preload/contract.ts'

export type Choice = NonNullable<OperationInput<'transfer.apply'>['conflicts']>[string]
const choices: readonly Choice[] = ['keep', 'both', 'replace']

export type Item = OperationOutput<'transfer.preview'>['items'][number]

/** There can’t be two users of one name. */
export const choicesOf = ({ part }: Item) =>
  choices.filter((one) => one !== 'both' || part !== 'users')

interface ImportRowProps {
  item: Item
  isTicked: boolean
  choice: Choice
  onTick: (item: Item, isTicked: boolean) => void
  onChoose: (id: string, choice: Choice) => void
}

// Memoized: a tick must not render a thousand other rows again.
export const ImportRow = memo(function ImportRow(props: ImportRowProps) {
  const { item, isTicked, choice, onTick, onChoose } = props
  const { t } = useTranslation()
  const { id, part, name, state } = item
  return (
    <Table.Tr>
      <Table.Td>
        <Checkbox
          aria-label={t('transfer.take', { name })}
          checked={isTicked}
          disabled={state === 'same'}
          onChange={({ currentTarget: { checked } }) => onTick(item, checked)}
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
            value={choice}
            data={choicesOf(item).map((value) => ({
              value,
              label: t(`transfer.choice_${value}`),
            }))}
            onChange={({ currentTarget: { value } }) => onChoose(id, value as Choice)}
          />
        ) : (
          t(`transfer.state_${state}`)
        )}
      </Table.Td>
    </Table.Tr>
  )
})

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
