import { Badge, Group, Table, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { useListAddress } from '../../../components/address/use-list-address.ts'
import { Empty } from '../../../components/feedback/empty.tsx'
import { NoMatch } from '../../../components/feedback/no-match.tsx'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import { Select } from '../../../components/forms/option-lists.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { FilterField } from '../../../components/table/filter-field.tsx'
import { Pager } from '../../../components/table/pager.tsx'
import { useIsMany } from '../../../components/table/use-is-many.ts'
import { usePageInRange } from '../../../components/table/use-page-in-range.ts'
import { useOperation, useRefreshOn } from '../../../gateway/queries.ts'
import { useIsAdministrator } from '../../../gateway/use-role.ts'
import { useSentence } from '../../../i18n/use-sentence.ts'
import styles from './security.module.css'

type AuditEvent = OperationOutput<'audit.list'>['items'][number]

const kinds = ['account', 'admin', 'top-up', 'claw-back'] as const
const pageSize = 20

/** All that was logged and is no model call. */
export function AuditLog() {
  const { t } = useTranslation()
  const { filters, isFiltered, filter, clear, page, turnTo } = useListAddress(['q', 'kind'])
  const kind = kinds.find((one) => one === filters.kind) ?? ''
  const query = useOperation(
    'audit.list',
    { kind, text: filters.q.trim(), p: page, page_size: pageSize },
    { keepPrevious: true },
  )
  useRefreshOn('calls', [['audit.list']])
  usePageInRange({ page, pageSize, total: query.data?.total }, turnTo)
  const isAdministrator = useIsAdministrator()
  const hasFilter = useIsMany(query.data?.total, isFiltered)
  return (
    <Panel
      title={t('security.audit')}
      hint={t(isAdministrator ? 'security.auditHint' : 'security.auditHintOwn')}
      flush
    >
      {hasFilter && (
        <Group gap={8} px="md" py={10} role="search" aria-label={t('security.auditSearch')}>
          <FilterField
            w={220}
            maxLength={500}
            label={t('security.auditSearch')}
            value={filters.q}
            onChange={(q) => filter({ q })}
          />
          <Select
            w={150}
            clearable
            placeholder={t('security.auditAny')}
            aria-label={t('security.auditKind')}
            data={kinds.map((one) => ({ value: one, label: t(`security.audit_${one}`) }))}
            value={kind || null}
            onChange={(chosen) => filter({ kind: chosen ?? '' })}
          />
        </Group>
      )}
      <QueryView query={query} verb={t('security.loadingAudit')}>
        {(data) =>
          data.items.length > 0 ? (
            <>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('security.auditTime')}</Table.Th>
                    <Table.Th>{t('security.auditKind')}</Table.Th>
                    <Table.Th>{t('security.auditWhat')}</Table.Th>
                    <Table.Th className="wide-only">{t('security.address')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {data.items.map((event) => (
                    <EventRow key={event.id} event={event} namesUser={isAdministrator} />
                  ))}
                </Table.Tbody>
              </Table>
              <Pager page={page} pageSize={pageSize} total={data.total} onChange={turnTo} />
            </>
          ) : isFiltered ? (
            <NoMatch
              title={t('security.auditNoMatch')}
              hint={t('security.auditNoMatchHint')}
              onClear={clear}
            />
          ) : (
            <Empty
              icon={<IconHistory size={20} />}
              title={t('security.noAudit')}
              hint={t('security.noAuditHint')}
            />
          )
        }
      </QueryView>
    </Panel>
  )
}

function EventRow({ event, namesUser }: { event: AuditEvent; namesUser: boolean }) {
  const { t } = useTranslation()
  const say = useSentence()
  const format = useFormat()
  const isCredit = event.kind === 'top-up' || event.kind === 'claw-back'
  return (
    <Table.Tr>
      <Table.Td className={styles.time} title={format.fullTime(event.created_at)}>
        {format.time(event.created_at)}
      </Table.Td>
      <Table.Td className={styles.kind}>
        <Badge color="gray">{t(`security.audit_${event.kind}`)}</Badge>
      </Table.Td>
      <Table.Td className={styles.sentence}>
        {say({ message: event.content, reason: event.reason }) || '–'}
        {namesUser && isCredit && (
          <Text span c="dimmed">
            {' '}
            {t('security.auditBalance', { name: event.username || `#${event.user_id}` })}
          </Text>
        )}
        {event.by && event.by !== event.username && (
          <Text span c="dimmed">
            {' '}
            {t('security.auditBy', { name: event.by })}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="wide-only mono">{event.ip || '–'}</Table.Td>
    </Table.Tr>
  )
}
