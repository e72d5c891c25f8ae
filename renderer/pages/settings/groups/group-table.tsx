import { ActionIcon, Checkbox, Table, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { ActionsHead } from '../../../components/table/actions-head.tsx'
import type { GroupDraft } from './group-draft.ts'
import styles from './groups.module.css'

interface GroupTableProps {
  groups: readonly GroupDraft[]
  onChange: (id: number, fields: Partial<GroupDraft>) => void
  onRemove: (id: number) => void
}

export function GroupTable({ groups, onChange, onRemove }: GroupTableProps) {
  const { t } = useTranslation()
  const factor = (group: GroupDraft, field: 'ratio' | 'topUpRatio') => (
    <NumberField
      miw={70}
      maw={110}
      min={0}
      placeholder={field === 'topUpRatio' ? '1' : ''}
      aria-label={`${t(`groups.${field}`)}: ${group.name}`}
      value={group[field]}
      onChange={(value) => onChange(group.id, { [field]: value })}
    />
  )
  const text = (group: GroupDraft, field: 'name' | 'description', width: number) => (
    <TextInput
      miw={width}
      disabled={field === 'description' && !group.usable}
      aria-label={`${t(`groups.${field}`)}: ${group.name}`}
      value={group[field]}
      onChange={(event) => onChange(group.id, { [field]: event.currentTarget.value })}
    />
  )
  return (
    <Table className={styles.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('groups.name')}</Table.Th>
          <Table.Th>{t('groups.ratio')}</Table.Th>
          <Table.Th>{t('groups.topUpRatio')}</Table.Th>
          <Table.Th>{t('groups.usable')}</Table.Th>
          <Table.Th w="40%">{t('groups.description')}</Table.Th>
          <ActionsHead />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {groups.map((group) => (
          <Table.Tr key={group.id}>
            <Table.Td className={styles.name} data-label={t('groups.name')}>
              {text(group, 'name', 120)}
            </Table.Td>
            <Table.Td data-label={t('groups.ratio')}>{factor(group, 'ratio')}</Table.Td>
            <Table.Td data-label={t('groups.topUpRatio')}>{factor(group, 'topUpRatio')}</Table.Td>
            <Table.Td data-label={t('groups.usable')}>
              <Checkbox
                aria-label={`${t('groups.usable')}: ${group.name}`}
                checked={group.usable}
                onChange={(event) => onChange(group.id, { usable: event.currentTarget.checked })}
              />
            </Table.Td>
            <Table.Td className={styles.description} data-label={t('groups.description')}>
              {text(group, 'description', 160)}
            </Table.Td>
            <Table.Td className={styles.remove}>
              {group.name !== 'default' && (
                <ActionIcon
                  aria-label={t('groups.remove', { name: group.name })}
                  onClick={() => onRemove(group.id)}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
