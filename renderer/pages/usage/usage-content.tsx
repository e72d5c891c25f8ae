import { Button } from '@mantine/core'
import { IconChartBar, IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { saveFile } from '../../components/actions/save-file.ts'
import { Empty } from '../../components/feedback/empty.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { chartDataOf, type Measure } from './chart-data.ts'
import { ChartPanel } from './chart-panel.tsx'
import styles from './usage.module.css'
import { usageCsv } from './usage-csv.ts'
import { UsageFigures } from './usage-figures.tsx'
import { stepsOfRows, toLocalDate, type UsageRange } from './usage-range.ts'
import { sumOf, sumsByKey, type UsageRow, type UsageSum } from './usage-sums.ts'
import { UsageTable } from './usage-table.tsx'
import { useUsageNames } from './use-usage-names.ts'
import type { UsageView } from './use-usage-query.ts'

interface UsageContentProps {
  rows: readonly UsageRow[]
  view: UsageView
  range: UsageRange
  onChange: (fields: Partial<UsageView>) => void
}

export function UsageContent({ rows, view, range, onChange }: UsageContentProps) {
  const { t } = useTranslation()
  const { by } = view
  const nameOf = useUsageNames(by)
  const sum = useMemo(() => sumOf(rows), [rows])
  const sums = useMemo(() => sumsByKey(rows), [rows])
  const measure = view.measure ?? usualMeasure(sum)
  const data = useMemo(() => {
    const times = rows.map(({ time }) => time)
    const steps = stepsOfRows(times, range, Date.now() / 1000)
    return chartDataOf(rows, steps, measure)
  }, [rows, range, measure])
  const download = () => {
    const name = `usage-by-${by}-${fileDate(range.start)}-${fileDate(range.end)}.csv`
    saveFile(name, usageCsv(rows, nameOf), 'text/csv;charset=utf-8')
  }

  if (rows.length === 0) {
    return (
      <Panel>
        <Empty
          icon={<IconChartBar size={20} />}
          title={t('usage.empty')}
          hint={t('usage.emptyHint')}
        >
          <Button component={Link} href="/playground">
            {t('calls.openPlayground')}
          </Button>
        </Empty>
      </Panel>
    )
  }
  return (
    <div className={styles.colors}>
      <UsageFigures sum={sum} />
      <ChartPanel
        data={data}
        sum={sum}
        measure={measure}
        step={range.step}
        nameOf={(key) => nameOf(sums.find((one) => one.key === key) ?? { key, label: '' })}
        onMeasure={(chosen) => onChange({ measure: chosen })}
      />
      <Panel
        title={t(`usage.by_${by}`)}
        flush
        actions={
          <Button variant="default" leftSection={<IconDownload size={14} />} onClick={download}>
            {t('usage.download')}
          </Button>
        }
      >
        <UsageTable sums={sums} by={by} series={data.series} />
      </Panel>
    </div>
  )
}

/** Without any price, a chart of costs would be empty. */
const usualMeasure = (sum: UsageSum): Measure => (sum.quota > 0 ? 'cost' : 'calls')

const fileDate = (seconds: number) => toLocalDate(new Date(seconds * 1000))
