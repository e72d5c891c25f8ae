import { Button, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { PlainTable } from '../../components/table/plain-table.tsx'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import { useIsAdministrator } from '../../gateway/use-role.ts'
import { UsageCost } from '../usage/usage-cost.tsx'
import { sumOf, sumsByKey, type UsageSum } from '../usage/usage-sums.ts'
import { useUsageNames } from '../usage/use-usage-names.ts'
import styles from './overview.module.css'

/** When today and yesterday began, in unix seconds. */
function readDays(): { today: number; yesterday: number } {
  const date = new Date()
  date.setHours(0, 0, 0, 0)
  const today = date.getTime() / 1000
  // By the calendar: a day on which clocks change has 23 or 25 hours.
  date.setDate(date.getDate() - 1)
  return { today, yesterday: date.getTime() / 1000 }
}

/** Tools that the table has room for; the sum has all. */
const shownTools = 6
/** Milliseconds. */
const interval = 30_000

/** Cost of today and yesterday by tool, which means by token. */
export function TodayCost() {
  const { t } = useTranslation()
  const format = useFormat()
  // `useFormat` draws a page anew that stays open over midnight.
  const { today: midnight, yesterday: before } = readDays()
  const today = useCosts(midnight)
  const yesterday = useCosts(before, midnight - 1)
  useRefreshOn('calls', [['usage.summary'], ['usage.summary-self']])
  const nameOf = useUsageNames('token')
  return (
    <Panel
      title={t('overview.cost')}
      hint={t('overview.costRange')}
      flush
      actions={
        <Button
          component={Link}
          href="/usage"
          variant="subtle"
          color="gray"
          rightSection={<IconArrowRight size={14} />}
        >
          {t('overview.allUsage')}
        </Button>
      }
    >
      <QueryView query={today} verb={t('overview.loading')}>
        {({ rows }) => {
          const current = sumsByKey(rows)
          const total = sumOf(rows)
          const earlier =
            yesterday.data && new Map(sumsByKey(yesterday.data.rows).map((one) => [one.key, one]))
          const keys = new Set(current.map(({ key }) => key))
          // Then those that were used yesterday alone.
          const gone = [...(earlier?.values() ?? [])].filter(({ key }) => !keys.has(key))
          const tools = [
            ...current,
            ...gone.map(({ key, label }) => ({ key, label, ...sumOf([]) })),
          ]
          if (tools.length === 0)
            return (
              <Text c="dimmed" p="md">
                {t('overview.noCosts')}
              </Text>
            )
          return (
            <PlainTable label={t('overview.cost')}>
              <thead>
                <tr>
                  <th>{t('overview.tool')}</th>
                  <th className="numeric">{t('overview.calls')}</th>
                  <th className="numeric">{t('overview.today')}</th>
                  <th className="numeric">{t('overview.yesterday')}</th>
                </tr>
              </thead>
              <tbody>
                {tools.slice(0, shownTools).map((tool) => (
                  <tr key={tool.key}>
                    <td className={`rest ${styles.tool}`} title={nameOf(tool)}>
                      {nameOf(tool)}
                    </td>
                    <td className="numeric">{format.count(tool.calls)}</td>
                    <td className="numeric">
                      <Cost sum={tool} />
                    </td>
                    <td className="numeric">
                      <Cost sum={earlier?.get(tool.key)} />
                    </td>
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr className={styles.total}>
                  <td>
                    {tools.length > shownTools
                      ? t('overview.totalOf', { count: tools.length })
                      : t('overview.total')}
                  </td>
                  <td className="numeric">{format.count(total.calls)}</td>
                  <td className="numeric">
                    <Cost sum={total} />
                  </td>
                  <td className="numeric">
                    <Cost sum={yesterday.data && sumOf(yesterday.data.rows)} />
                  </td>
                </tr>
              </tfoot>
            </PlainTable>
          )
        }}
      </QueryView>
    </Panel>
  )
}

/** A dash where nothing was answered, and so nothing could cost. */
function Cost({ sum }: { sum: UsageSum | undefined }) {
  if (!sum || sum.calls === sum.errors) return <>–</>
  return <UsageCost sum={sum} />
}

/** Everybody's costs for administrators, else the user’s own. */
function useCosts(start: number, end?: number) {
  const isAdministrator = useIsAdministrator()
  const asked = {
    ...{ start_timestamp: start, step: 'all' as const, by: 'token' as const },
    ...(end === undefined ? {} : { end_timestamp: end }),
  }
  const options = { refetchInterval: interval, keepPrevious: true }
  const all = useOperation('usage.summary', asked, { ...options, enabled: isAdministrator })
  const own = useOperation('usage.summary-self', asked, { ...options, enabled: !isAdministrator })
  return isAdministrator ? all : own
}
