import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SelectHead } from '../../components/selection/select-cells.tsx'
import type { RowSelection } from '../../components/selection/use-row-selection.ts'
import { ActionsHead } from '../../components/table/actions-head.tsx'
import type { TokenRecord } from '../../gateway/records.ts'
import { TokenRow } from './token-row.tsx'
import type { TokenUsers } from './use-token-users.ts'

interface TokenTableProps {
  tokens: readonly TokenRecord[]
  users: TokenUsers
  selection: RowSelection
  onOpen: (id: number) => void
}

export function TokenTable({ tokens, users, selection, onOpen }: TokenTableProps) {
  const { t } = useTranslation()
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <SelectHead selection={selection} />
          <Table.Th w={56}>{t('tokens.status')}</Table.Th>
          <Table.Th>{t('tokens.name')}</Table.Th>
          <Table.Th className="widest-only">{t('tokens.limits')}</Table.Th>
          <Table.Th className="numeric">{t('tokens.used')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('tokens.left')}</Table.Th>
          <Table.Th className="numeric wider-only">{t('tokens.lastUsed')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('tokens.expires')}</Table.Th>
          <ActionsHead width={80} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {tokens.map((token) => (
          <TokenRow
            key={token.id}
            token={token}
            usedBy={users.get(token.id) ?? []}
            selection={selection}
            onOpen={() => onOpen(token.id)}
          />
        ))}
      </Table.Tbody>
    </Table>
  )
}
