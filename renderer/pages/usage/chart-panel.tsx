import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../components/layout/panel.tsx'
import { lazyCode } from '../../components/lazy/lazy-code.ts'
import { LazyPart } from '../../components/lazy/lazy-part.tsx'
import { type ChartData, type Measure, measures } from './chart-data.ts'
import styles from './usage.module.css'
import type { UsageStep } from './usage-range.ts'
import type { UsageSum } from './usage-sums.ts'

const usageChart = lazyCode(async () => (await import('./usage-chart.tsx')).UsageChart)

interface ChartPanelProps {
  data: ChartData
  sum: UsageSum
  measure: Measure
  step: UsageStep
  nameOf: (key: string) => string
  onMeasure: (measure: Measure) => void
}

/** Says why when there is nothing to draw. */
export function ChartPanel({ data, sum, measure, step, nameOf, onMeasure }: ChartPanelProps) {
  const { t } = useTranslation()
  const isFlat = data.series.length === 0
  return (
    <Panel
      title={t(`usage.over_${step}`)}
      flush
      actions={
        <SegmentedControl
          aria-label={t('usage.measure')}
          data={measures.map((name) => ({ value: name, label: t(`usage.${name}`) }))}
          value={measure}
          onChange={(name) => onMeasure(name as Measure)}
        />
      }
    >
      {isFlat ? (
        <div className={styles.flat}>
          {t(
            measure === 'cost' && sum.unpriced > 0 ? 'usage.nothingPriced' : 'usage.nothingToDraw',
          )}
        </div>
      ) : (
        <figure
          className={styles.chart}
          aria-label={t('usage.chart', { what: t(`usage.${measure}`) })}
        >
          <LazyPart code={usageChart} props={{ data, measure, step, nameOf }} height={260} />
        </figure>
      )}
      {measure === 'cost' && sum.unpriced > 0 && !isFlat && (
        <div className={styles.note}>{t('usage.unpricedNote', { count: sum.unpriced })}</div>
      )}
      {measure !== 'calls' && sum.estimated > 0 && !isFlat && (
        <div className={styles.note}>{t('usage.estimatedNote', { count: sum.estimated })}</div>
      )}
    </Panel>
  )
}
