import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ActionsHead } from '../../components/table/actions-head.tsx'
import { useOperation } from '../../gateway/queries.ts'
import type { UserRecord } from '../../gateway/records.ts'
import { allowedActions } from './allowed-actions.ts'
import { UserRow } from './user-row.tsx'

interface UserTableProps {
  users: readonly UserRecord[]
  onOpen: (id: number) => void
}

export function UserTable({ users, onOpen }: UserTableProps) {
  const { t } = useTranslation()
  const self = useOperation('user.self', {})
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={56}>{t('users.on')}</Table.Th>
          <Table.Th>{t('users.name')}</Table.Th>
          <Table.Th className="wide-only">{t('users.role')}</Table.Th>
          <Table.Th className="widest-only">{t('users.group')}</Table.Th>
          <Table.Th className="numeric">{t('users.left')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('users.used')}</Table.Th>
          <Table.Th className="numeric wider-only">{t('users.calls')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('users.created')}</Table.Th>
          <ActionsHead width={44} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {users.map((user) => (
          <UserRow
            key={user.id}
            user={user}
            allowed={allowedActions(self.data, user)}
            onOpen={() => onOpen(user.id)}
          />
        ))}
      </Table.Tbody>
    </Table>
  )
}
