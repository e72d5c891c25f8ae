import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../components/actions/copy-text.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { PauseButton } from '../../components/shell/pause-button.tsx'
import { useOperation } from '../../gateway/queries.ts'
import { SettingLine } from './setting-line.tsx'

export function ServerPanel() {
  const { t } = useTranslation()
  const format = useFormat()
  const server = useOperation('server.get', {})
  return (
    <Panel title={t('settings.server')}>
      <QueryView query={server} verb={t('settings.loadingServer')}>
        {(facts) => (
          <>
            <SettingLine label={t('settings.baseUrl')}>
              <CopyText value={facts.url} label={t('settings.baseUrl')} />
            </SettingLine>
            <SettingLine label={t('settings.newCalls')} hint={t('settings.newCallsHint')}>
              <Group gap={8}>
                <span>{t(facts.paused_since ? 'settings.refused' : 'settings.accepted')}</span>
                <PauseButton isPaused={Boolean(facts.paused_since)} />
              </Group>
            </SettingLine>
            {facts.data_folder !== '' && (
              <SettingLine label={t('settings.dataFolder')}>
                <CopyText value={facts.data_folder} label={t('settings.dataFolder')} wraps />
              </SettingLine>
            )}
            <SettingLine label={t('settings.version')}>
              <span className="mono">
                {facts.version} · {t('settings.node')} {facts.node} ·{' '}
                {facts.electron
                  ? `${t('settings.electron')} ${facts.electron}`
                  : t('settings.headless')}
              </span>
            </SettingLine>
            <SettingLine label={t('settings.started')}>
              {format.fullTime(facts.started_at)}
            </SettingLine>
          </>
        )}
      </QueryView>
    </Panel>
  )
}
