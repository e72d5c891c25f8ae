import { Button, Table, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import { useIsAdministrator } from '../../gateway/use-role.ts'
import { UsageCost } from '../usage/usage-cost.tsx'
import { sumOf, sumsByKey, type UsageSum } from '../usage/usage-sums.ts'
import { useUsageNames } from '../usage/use-usage-names.ts'
import styles from './overview.module.css'
import { useToday } from './use-today.ts'

/** Tools that the table has room for; the sum has all. */
const shownTools = 6
/** Milliseconds. */
const interval = 30_000

/** Cost of today and yesterday by tool, which means by token. */
export function TodayCost() {
  const { t } = useTranslation()
  const format = useFormat()
  const { today: midnight, yesterday: before } = useToday()
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
          const tools = sumsByKey(rows)
          const total = sumOf(rows)
          const earlier =
            yesterday.data && new Map(sumsByKey(yesterday.data.rows).map((one) => [one.key, one]))
          if (tools.length === 0 && (earlier?.size ?? 0) === 0)
            return (
              <Text c="dimmed" p="md">
                {t('overview.noCosts')}
              </Text>
            )
          return (
            <Table horizontalSpacing={8} aria-label={t('overview.cost')}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('overview.tool')}</Table.Th>
                  <Table.Th className="numeric">{t('overview.calls')}</Table.Th>
                  <Table.Th className="numeric">{t('overview.today')}</Table.Th>
                  <Table.Th className="numeric">{t('overview.yesterday')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {tools.slice(0, shownTools).map((tool) => (
                  <Table.Tr key={tool.key}>
                    <Table.Td className={`rest ${styles.tool}`} title={nameOf(tool)}>
                      {nameOf(tool)}
                    </Table.Td>
                    <Table.Td className="numeric">{format.count(tool.calls)}</Table.Td>
                    <Table.Td className="numeric">
                      <Cost sum={tool} />
                    </Table.Td>
                    <Table.Td className="numeric">
                      <Cost sum={earlier?.get(tool.key)} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
              <Table.Tfoot>
                <Table.Tr className={styles.total}>
                  <Table.Td>
                    {tools.length > shownTools
                      ? t('overview.totalOf', { count: tools.length })
                      : t('overview.total')}
                  </Table.Td>
                  <Table.Td className="numeric">{format.count(total.calls)}</Table.Td>
                  <Table.Td className="numeric">
                    <Cost sum={total} />
                  </Table.Td>
                  <Table.Td className="numeric">
                    <Cost sum={yesterday.data && sumOf(yesterday.data.rows)} />
                  </Table.Td>
                </Table.Tr>
              </Table.Tfoot>
            </Table>
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
