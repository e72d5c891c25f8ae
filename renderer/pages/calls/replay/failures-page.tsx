import { Button, Group, Table } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../../components/feedback/empty.tsx'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Select } from '../../../components/forms/option-lists.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { ActionsHead } from '../../../components/table/actions-head.tsx'
import { useGateway } from '../../../gateway/gateway-context.ts'
import { useOperation } from '../../../gateway/queries.ts'
import { type FailedCall, FailureRow } from './failure-row.tsx'
import { batchOf } from './replay-batch.ts'
import { TargetFields } from './target-fields.tsx'

const counts = ['10', '20', '50']

/** The newest failures, replayed together on a channel or model of one's choice. */
export function FailuresPage() {
  const { t } = useTranslation()
  const [count, setCount] = useState('10')
  const [target, setTarget] = useState<{ channel: string | null; model: string }>({
    channel: null,
    model: '',
  })
  const failures = useOperation('replay.failures', { limit: Number(count) }, { keepPrevious: true })
  return (
    <Page title={t('replay.failures')} hint={t('replay.failuresHint')}>
      <Group gap={8} align="flex-end">
        <Select
          w={90}
          label={t('replay.howMany')}
          data={counts}
          allowDeselect={false}
          value={count}
          onChange={(value) => value && setCount(value)}
        />
        <TargetFields
          inline
          value={target}
          modelHint={t('replay.sameModel')}
          onChange={(fields) => setTarget({ ...target, ...fields })}
        />
      </Group>
      <QueryView query={failures} verb={t('replay.loadingFailures')}>
        {(data) =>
          data.failures.length > 0 ? (
            <FailureTable failures={data.failures} target={target} />
          ) : (
            <Panel>
              <Empty
                icon={<IconRepeat size={20} />}
                title={t('replay.noFailures')}
                hint={t('replay.noFailuresHint')}
              />
            </Panel>
          )
        }
      </QueryView>
    </Page>
  )
}

interface FailureTableProps {
  failures: readonly FailedCall[]
  target: { channel: string | null; model: string }
}

function FailureTable({ failures, target }: FailureTableProps) {
  const { t } = useTranslation()
  const batch = batchOf(useGateway())
  const { entries, isRunning } = useSyncExternalStore(batch.subscribe, batch.read)
  const able = failures.filter(({ reason }) => reason === null).map((one) => one.request_id)
  const done = [...entries.values()].filter(({ phase }) => phase === 'done').length
  return (
    <>
      <Group gap={8}>
        {isRunning ? (
          <>
            <span role="status">{t('replay.replaying', { done, all: entries.size })}</span>
            <Button variant="default" onClick={() => batch.cancel()}>
              {t('common.cancel')}
            </Button>
          </>
        ) : (
          <Button disabled={able.length === 0} onClick={() => batch.run(able, target)}>
            {t('replay.replayAll', { count: able.length })}
          </Button>
        )}
      </Group>
      <Panel flush>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className="wide-only">{t('calls.time')}</Table.Th>
              <Table.Th>{t('calls.model')}</Table.Th>
              <Table.Th className="widest-only">{t('calls.channel')}</Table.Th>
              <Table.Th>{t('replay.error')}</Table.Th>
              <Table.Th>{t('replay.result')}</Table.Th>
              <Table.Th className="numeric widest-only">{t('replay.firstToken')}</Table.Th>
              <Table.Th className="numeric widest-only">{t('calls.duration')}</Table.Th>
              <Table.Th className="numeric widest-only">{t('calls.output')}</Table.Th>
              <Table.Th className="numeric widest-only">{t('calls.cost')}</Table.Th>
              <ActionsHead />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {failures.map((failed) => (
              <FailureRow
                key={failed.request_id}
                failed={failed}
                entry={entries.get(failed.request_id) ?? null}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Panel>
    </>
  )
}
