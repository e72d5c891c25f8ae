import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { useAction, useOperation } from '../../../gateway/queries.ts'
import { LoneOption } from '../options/lone-option.tsx'
import type { OptionRecord } from '../options/option-line.tsx'
import { SettingLine } from '../setting-line.tsx'

type Update = NonNullable<OperationOutput<'desktop.get'>['update']>

interface UpdatePanelProps {
  update: Update
  /** Absent when the gateway has no such option. */
  feed: OptionRecord | undefined
}

export function UpdatePanel({ update, feed }: UpdatePanelProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const server = useOperation('server.get', {})
  const check = useAction('desktop.check-update', ['desktop.get'])
  const { newer, failure, checked_at: checkedAt } = update
  const hasFeed = update.feed !== ''
  return (
    <Panel title={t('desktop.updates')} hint={t('desktop.updatesHint')}>
      <SettingLine label={t('desktop.installed')}>
        <span className="mono">{server.data?.version ?? '–'}</span>
      </SettingLine>
      {feed && (
        <LoneOption
          entry={{
            key: 'DesktopUpdateFeed',
            kind: 'text',
            label: 'updateFeed',
            hint: 'updateFeedHint',
          }}
          stored={feed}
        />
      )}
      {hasFeed && (
        <SettingLine label={t('desktop.lastChecked')}>
          <Stack gap={6} align="flex-start">
            <Group gap={12}>
              <span>{checkedAt === null ? t('desktop.notYet') : format.fullTime(checkedAt)}</span>
              <ActionButton
                variant="default"
                busy={check.busy}
                busyLabel={t('desktop.checking')}
                onCancel={check.cancel}
                onClick={() => void check.run({})}
              >
                {t('desktop.checkNow')}
              </ActionButton>
            </Group>
            {failure && (
              <Text c="var(--bad)" role="alert" fz={12} style={{ overflowWrap: 'anywhere' }}>
                {failure}
              </Text>
            )}
            {checkedAt !== null && !failure && !newer && (
              <Text role="status">{t('desktop.upToDate')}</Text>
            )}
            {newer && (
              <Stack gap={4} role="status">
                <Text fw={500}>{t('desktop.newer', { version: newer.version })}</Text>
                {newer.notes !== '' && (
                  <Text
                    fz={12}
                    c="dimmed"
                    style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}
                  >
                    {newer.notes}
                  </Text>
                )}
                <Anchor href={newer.url} target="_blank" rel="noreferrer">
                  {t('desktop.download')}
                </Anchor>
              </Stack>
            )}
          </Stack>
        </SettingLine>
      )}
      <FailureNote failure={check.failure} />
    </Panel>
  )
}
