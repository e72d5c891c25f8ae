import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { approximate } from '../../components/format/approximate.ts'
import { useFormat } from '../../components/format/use-format.ts'
import type { ChartSeries } from './chart-data.ts'
import { seriesColor } from './series-color.ts'
import styles from './usage.module.css'
import { UsageCost } from './usage-cost.tsx'
import { cacheShare, type KeyedSum } from './usage-sums.ts'
import { type Dimension, useUsageNames } from './use-usage-names.ts'

interface UsageTableProps {
  sums: readonly KeyedSum[]
  by: Dimension
  /** For the color swatches. */
  series: readonly ChartSeries[]
}

export function UsageTable({ sums, by, series }: UsageTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useUsageNames(by)
  const colorOf = (key: string) => {
    const index = series.findIndex((one) => one.key === key)
    return seriesColor(index === -1 ? null : index)
  }
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t(`usage.${by}`)}</Table.Th>
          <Table.Th className="numeric">{t('usage.calls')}</Table.Th>
          <Table.Th className="numeric">{t('usage.errors')}</Table.Th>
          <Table.Th className="numeric wider-only">{t('usage.input')}</Table.Th>
          <Table.Th className="numeric wider-only">{t('usage.output')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('usage.cacheShare')}</Table.Th>
          <Table.Th className="numeric">{t('usage.cost')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sums.map((sum) => (
          <Table.Tr key={sum.key}>
            <Table.Td className="rest">
              <div className={styles.name} data-mono={by === 'model' || undefined}>
                <span
                  className={styles.swatch}
                  style={{ background: colorOf(sum.key) }}
                  aria-hidden
                />
                <span className={styles.label} title={nameOf(sum)}>
                  {nameOf(sum)}
                </span>
              </div>
            </Table.Td>
            <Table.Td className="numeric">{format.count(sum.calls)}</Table.Td>
            <Table.Td className="numeric" c={sum.errors > 0 ? 'var(--bad)' : 'dimmed'}>
              {format.count(sum.errors)}
            </Table.Td>
            <Table.Td className="numeric wider-only">
              {approximate(format.count(sum.promptTokens), sum.estimated > 0)}
            </Table.Td>
            <Table.Td className="numeric wider-only">
              {approximate(format.count(sum.completionTokens), sum.estimated > 0)}
            </Table.Td>
            <Table.Td className="numeric widest-only">{format.percent(cacheShare(sum))}</Table.Td>
            <Table.Td className="numeric">
              <UsageCost sum={sum} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
