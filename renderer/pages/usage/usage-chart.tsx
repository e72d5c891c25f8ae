import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { unitsOf, unitsPerDollar } from '../../components/format/quota-units.ts'
import { useFormat } from '../../components/format/use-format.ts'
import type { ChartData, Measure } from './chart-data.ts'
import { seriesColor } from './series-color.ts'
import { labelOfStep } from './step-label.ts'
import styles from './usage.module.css'
import type { UsageStep } from './usage-range.ts'

interface UsageChartProps {
  data: ChartData
  measure: Measure
  step: UsageStep
  /** Takes a series' key. */
  nameOf: (key: string) => string
}

// Including the hour that the end of summer time repeats.
const HOURS_OF_A_DAY = 25

/** Loaded on demand: its library is half as large as the console. */
export function UsageChart({ data, measure, step, nameOf }: UsageChartProps) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const isNarrow = useMediaQuery('(max-width: 880px)')
  const valueText = (value: number) =>
    measure === 'cost' ? format.money(unitsOf(value)) : format.count(value)
  const short = new Intl.NumberFormat(i18n.language, { notation: 'compact' })
  // Not rounded to whole units: a tick between two of them would carry another's figure.
  const tick = (value: number) =>
    measure === 'cost' ? format.shortMoney(value * unitsPerDollar) : short.format(value)
  const timeLabel = labelOfStep(i18n.language, step, data.points.length <= HOURS_OF_A_DAY)
  const isDense = data.points.length > 45

  return (
    <BarChart
      h={280}
      data={data.points.map((point) => ({ ...point, label: timeLabel(point.time) }))}
      dataKey="label"
      type="stacked"
      series={data.series.map(({ id, key }, index) => ({
        name: id,
        label: key === null ? t('usage.others') : nameOf(key),
        color: seriesColor(key === null ? null : index),
      }))}
      // Without room, the table's swatches serve as the legend.
      withLegend={!isNarrow}
      classNames={{ legend: styles.legend }}
      legendProps={{ verticalAlign: 'bottom' }}
      tickLine="none"
      strokeDasharray="3 4"
      maxBarWidth={36}
      valueFormatter={valueText}
      xAxisProps={{ minTickGap: isNarrow ? 24 : 12 }}
      yAxisProps={{ tickFormatter: tick, width: 92, allowDecimals: measure === 'cost' }}
      barChartProps={{ barCategoryGap: isDense ? 1 : '18%' }}
      barProps={{ isAnimationActive: false }}
    />
  )
}
