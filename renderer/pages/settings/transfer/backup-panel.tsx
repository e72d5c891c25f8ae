import { Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { Snippet } from '../../../components/actions/snippet.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { useAction, useOperation } from '../../../gateway/queries.ts'
import { LoneOption } from '../options/lone-option.tsx'
import type { OptionEntry } from '../options/option-entry.ts'

const entries: readonly OptionEntry[] = [
  { key: 'BackupHours', kind: 'number', label: 'backupHours', hint: 'backupHoursHint' },
  { key: 'BackupKeep', kind: 'number', label: 'backupKeep', hint: 'backupKeepHint' },
]

export function BackupPanel() {
  const { t } = useTranslation()
  const format = useFormat()
  const list = useOperation('backup.list', {})
  const options = useOperation('option.list', {})
  const create = useAction('backup.create', ['backup.list'])
  return (
    <Panel title={t('transfer.backups')} hint={t('transfer.backupsHint')}>
      <Stack gap="md">
        {entries.map((entry) => {
          const stored = options.data?.find(({ key }) => key === entry.key)
          return stored && <LoneOption key={entry.key} entry={entry} stored={stored} />
        })}
        <QueryView query={list} verb={t('transfer.loadingBackups')}>
          {({ folder, key, restore, backups }) => (
            <Stack gap={8}>
              <Text>{t(`transfer.key_${key}`)}</Text>
              <Text c="dimmed" fz={12}>
                {t('transfer.restoreHint')}
              </Text>
              <Snippet text={restore} label={t('transfer.restore')} />
              <Text c="dimmed" fz={12} style={{ overflowWrap: 'anywhere' }}>
                {t('transfer.backupFolder')} <span className="mono">{folder}</span>
              </Text>
              {backups.length === 0 ? (
                <Text c="dimmed">{t('transfer.noBackups')}</Text>
              ) : (
                <Table.ScrollContainer minWidth={420}>
                  <Table>
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th scope="col">{t('transfer.name')}</Table.Th>
                        <Table.Th scope="col">{t('transfer.made')}</Table.Th>
                        <Table.Th scope="col" ta="right">
                          {t('transfer.size')}
                        </Table.Th>
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {backups.map((one) => (
                        <Table.Tr key={one.name}>
                          <Table.Td className="mono">{one.name}</Table.Td>
                          <Table.Td>{format.fullTime(one.created_at)}</Table.Td>
                          <Table.Td ta="right">{format.size(one.size)}</Table.Td>
                        </Table.Tr>
                      ))}
                    </Table.Tbody>
                  </Table>
                </Table.ScrollContainer>
              )}
            </Stack>
          )}
        </QueryView>
        <FailureNote failure={create.failure} />
        <ActionButton
          variant="default"
          busy={create.busy}
          busyLabel={t('transfer.backingUp')}
          onCancel={create.cancel}
          onClick={() => void create.run({})}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('transfer.backUp')}
        </ActionButton>
      </Stack>
    </Panel>
  )
}
