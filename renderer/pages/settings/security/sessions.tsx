import { Badge, Group, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { ActionsHead } from '../../../components/table/actions-head.tsx'
import { useAction, useOperation } from '../../../gateway/queries.ts'
import { browserName } from './browser-name.ts'

type SessionRecord = OperationOutput<'session.list'>[number]

export function Sessions() {
  const { t } = useTranslation()
  const sessions = useOperation('session.list', {})
  const revokeOthers = useAction('session.revoke-others', ['session.list'])
  return (
    <Panel
      title={t('security.sessions')}
      hint={t('security.sessionsHint')}
      flush
      actions={
        (sessions.data?.filter(({ current }) => !current).length ?? 0) > 0 && (
          <ActionButton
            variant="default"
            busy={revokeOthers.busy}
            busyLabel={t('security.ending')}
            onCancel={revokeOthers.cancel}
            onClick={() => void revokeOthers.run({})}
          >
            {t('security.endOthers')}
          </ActionButton>
        )
      }
    >
      <FailureNote failure={revokeOthers.failure} />
      <QueryView query={sessions} verb={t('security.loadingSessions')}>
        {(list) =>
          list.length === 0 ? (
            <Text c="dimmed" p="md">
              {t('security.noSessions')}
            </Text>
          ) : (
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('security.browser')}</Table.Th>
                  <Table.Th>{t('security.address')}</Table.Th>
                  <Table.Th>{t('security.since')}</Table.Th>
                  <Table.Th className="wide-only">{t('security.ends')}</Table.Th>
                  <ActionsHead />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list.map((session) => (
                  <SessionRow key={session.id} session={session} />
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </QueryView>
    </Panel>
  )
}

function SessionRow({ session }: { session: SessionRecord }) {
  const { t } = useTranslation()
  const format = useFormat()
  const revoke = useAction('session.revoke', ['session.list'])
  const browser = browserName(session.user_agent) || t('security.unknownBrowser')
  return (
    <Table.Tr>
      <Table.Td title={session.user_agent}>
        <Group gap={8} wrap="nowrap">
          {browser}
          {session.current && <Badge color="green">{t('security.thisOne')}</Badge>}
        </Group>
      </Table.Td>
      <Table.Td>{session.ip || '–'}</Table.Td>
      <Table.Td>{format.time(session.created_time)}</Table.Td>
      <Table.Td className="wide-only">{format.time(session.expires_at)}</Table.Td>
      <Table.Td ta="right">
        {!session.current && (
          <ActionButton
            size="compact-xs"
            variant="default"
            busy={revoke.busy}
            busyLabel={t('security.ending')}
            onCancel={revoke.cancel}
            onClick={() => void revoke.run({ id: session.id })}
            aria-label={t('security.endNamed', { browser })}
          >
            {t('security.end')}
          </ActionButton>
        )}
        <FailureNote failure={revoke.failure} />
      </Table.Td>
    </Table.Tr>
  )
}
