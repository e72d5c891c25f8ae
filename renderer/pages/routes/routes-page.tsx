import { Button, Table } from '@mantine/core'
import { IconArrowsSplit2, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useListAddress } from '../../components/address/use-list-address.ts'
import { Empty } from '../../components/feedback/empty.tsx'
import { NoMatch } from '../../components/feedback/no-match.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { ActionsHead } from '../../components/table/actions-head.tsx'
import { FilterField } from '../../components/table/filter-field.tsx'
import { useIsMany } from '../../components/table/use-is-many.ts'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import type { RouteRecord } from '../../gateway/records.ts'
import { RouteDrawer } from './form/route-drawer.tsx'
import { RouteRow } from './route-row.tsx'
import styles from './routes.module.css'
import { useRouteChoices } from './use-route-choices.ts'

export function RoutesPage() {
  const { t } = useTranslation()
  const { filters, isFiltered, filter, clear, open, close, ...address } = useListAddress(['q'])
  const query = useOperation('route.list', {})
  useRefreshOn('server', [['route.list']])
  const isMany = useIsMany(query.data?.length, isFiltered)

  return (
    <Page
      title={t('routes.title')}
      hint={t('routes.hint')}
      actions={
        <Button leftSection={<IconPlus size={14} />} onClick={() => open('new')}>
          {t('routes.create')}
        </Button>
      }
    >
      <Panel flush>
        {isMany && (
          <search className={styles.filter}>
            <FilterField
              w={240}
              label={t('routes.search')}
              value={filters.q}
              onChange={(q) => filter({ q })}
            />
          </search>
        )}
        <QueryView query={query} verb={t('routes.loading')}>
          {(routes) => {
            const shown = matching(routes, filters.q)
            if (shown.length > 0) return <RouteTable all={routes} shown={shown} onOpen={open} />
            return isFiltered ? (
              <NoMatch title={t('routes.noMatch')} hint={t('routes.noMatchHint')} onClear={clear} />
            ) : (
              <Empty
                icon={<IconArrowsSplit2 size={20} />}
                title={t('routes.empty')}
                hint={t('routes.emptyHint')}
              >
                <Button onClick={() => open('new')}>{t('routes.create')}</Button>
              </Empty>
            )
          }}
        </QueryView>
      </Panel>
      <RouteDrawer opened={address.isOpen} routeId={address.openId} onClose={close} />
    </Page>
  )
}

/** By a part of its name or of a model that it leads to. */
function matching(routes: readonly RouteRecord[], text: string): readonly RouteRecord[] {
  const wanted = text.trim().toLowerCase()
  return routes.filter(({ name, targets, rules }) =>
    [name, ...[{ targets }, ...rules].flatMap((one) => one.targets.map(({ model }) => model))].some(
      (word) => word.toLowerCase().includes(wanted),
    ),
  )
}

interface RouteTableProps {
  all: readonly RouteRecord[]
  shown: readonly RouteRecord[]
  onOpen: (id: number) => void
}

function RouteTable({ all, shown, onOpen }: RouteTableProps) {
  const { t } = useTranslation()
  const choices = useRouteChoices()
  const taken = all.map(({ name }) => name)
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={56}>{t('routes.status')}</Table.Th>
          <Table.Th>{t('routes.name')}</Table.Th>
          <Table.Th className="numeric wider-only">{t('routes.rules')}</Table.Th>
          <ActionsHead width={100} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shown.map((route) => (
          <RouteRow
            key={route.id}
            route={route}
            choices={choices}
            taken={taken}
            onOpen={() => onOpen(route.id)}
          />
        ))}
      </Table.Tbody>
    </Table>
  )
}
