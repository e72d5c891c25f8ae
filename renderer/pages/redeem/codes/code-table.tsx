import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ActionsHead } from '../../../components/table/actions-head.tsx'
import type { RedemptionRecord } from '../../../gateway/records.ts'
import { CodeRow } from './code-row.tsx'

interface CodeTableProps {
  codes: readonly RedemptionRecord[]
  onOpen: (id: number) => void
}

export function CodeTable({ codes, onOpen }: CodeTableProps) {
  const { t } = useTranslation()
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={56}>{t('redeem.on')}</Table.Th>
          <Table.Th>{t('redeem.name')}</Table.Th>
          <Table.Th className="wider-only">{t('redeem.code')}</Table.Th>
          <Table.Th className="numeric">{t('redeem.value')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('redeem.created')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('redeem.expires')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('redeem.redeemed')}</Table.Th>
          <ActionsHead width={44} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {codes.map((code) => (
          <CodeRow key={code.id} code={code} onOpen={() => onOpen(code.id)} />
        ))}
      </Table.Tbody>
    </Table>
  )
}
