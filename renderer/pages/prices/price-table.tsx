import { Anchor, Badge, Table, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/format/use-format.ts'
import { type PriceRow, unitPrices } from './price-fields.ts'
import styles from './prices.module.css'

const columns = ['input', 'cached_input', 'cache_write', 'output'] as const

/** Hidden in a narrow table. */
const wideOnly = (column: (typeof columns)[number]): string =>
  column.startsWith('cache') ? 'widest-only' : ''

interface PriceTableProps {
  rows: readonly PriceRow[]
  /** Absent for users who may only read. */
  onOpen?: (model: string) => void
}

/** The four usual prices are columns; the rest is text. */
export function PriceTable({ rows, onOpen }: PriceTableProps) {
  const { t } = useTranslation()
  const dollars = useDollars()
  return (
    <Table highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('prices.model')}</Table.Th>
          {columns.map((column) => (
            <Table.Th key={column} ta="right" className={wideOnly(column)}>
              {t(`prices.${column}`)}
            </Table.Th>
          ))}
          <Table.Th className="widest-only">{t('prices.otherPrices')}</Table.Th>
          <Table.Th>{t('prices.source')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.model}>
            <Table.Td className={styles.model}>
              {onOpen ? (
                <UnstyledButton className={styles.open} onClick={() => onOpen(row.model)}>
                  {row.model}
                </UnstyledButton>
              ) : (
                row.model
              )}
            </Table.Td>
            {columns.map((column) => (
              <Table.Td key={column} ta="right" className={`${styles.number} ${wideOnly(column)}`}>
                {dollars(row[column])}
              </Table.Td>
            ))}
            <Table.Td className={`${styles.units} widest-only`}>
              <OtherPrices row={row} />
            </Table.Td>
            <Table.Td>
              <Source row={row} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** Prices other than the four columns. */
function OtherPrices({ row }: { row: PriceRow }) {
  const { t } = useTranslation()
  const dollars = useDollars()
  const format = useFormat()
  const perMillion = (
    ['image_input', 'image_output', 'audio_input', 'audio_output'] as const
  ).flatMap((field) =>
    row[field] === null ? [] : [`${t(`prices.${field}`)} ${dollars(row[field])}`],
  )
  const each = unitPrices.flatMap((field) =>
    row[field] === null ? [] : [t(`prices.each_${field}`, { price: dollars(row[field]) })],
  )
  const tiers = Object.entries(row.tiers).map(([tier, factor]) =>
    t('prices.tier', { tier, factor: format.factor(factor) }),
  )
  const { long } = row
  const longPrompt = long
    ? [
        t('prices.long', {
          above: format.count(long.above),
          input: dollars(long.input),
          output: dollars(long.output),
        }),
      ]
    : []
  const { next } = row
  const announced = next
    ? [
        t('prices.next', {
          day: next.day,
          input: dollars(next.input),
          output: dollars(next.output),
        }),
      ]
    : []
  return <>{format.list([...perMillion, ...each, ...longPrompt, ...tiers, ...announced])}</>
}

/** The owner, or the date on which the vendor's page was read. */
function Source({ row }: { row: PriceRow }) {
  const { t } = useTranslation()
  if (row.source === 'own') return <Badge>{t('prices.own')}</Badge>
  if (row.source === 'none') return <Badge color="yellow">{t('common.unpriced')}</Badge>
  const read = row.as_of ?? ''
  return (
    <Text c="dimmed" span className={styles.source}>
      {row.page ? (
        <Anchor href={row.page} target="_blank" rel="noreferrer">
          {row.vendor}
        </Anchor>
      ) : (
        row.vendor
      )}
      {read && (
        <>
          , <span className={styles.number}>{read}</span>
        </>
      )}
      {row.checked === false && (
        <Tooltip label={t('prices.uncheckedHint')}>
          <span>, {t('prices.unchecked')}</span>
        </Tooltip>
      )}
    </Text>
  )
}

/** US dollars with as many decimals as needed: $0.0001, $2.50; unknown is a dash. */
function useDollars(): (value: number | null) => string {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const digits = new Intl.NumberFormat(i18n.language, {
      minimumFractionDigits: 2,
      maximumFractionDigits: 8,
    })
    return (value) => (value === null ? '–' : `$${digits.format(value)}`)
  }, [i18n.language])
}
