import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { CopyText } from '../../../components/actions/copy-text.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useAction, useOperation } from '../../../gateway/queries.ts'
import { SettingLine } from '../setting-line.tsx'

interface AppPanelProps {
  /** The folder opens on the gateway's machine, so only the app's own window offers it. */
  canOpenFolder: boolean
  /** Chromium's version. */
  chromium: string | null
}

export function AppPanel({ canOpenFolder, chromium }: AppPanelProps) {
  const { t } = useTranslation()
  const server = useOperation('server.get', {})
  const open = useAction('desktop.open-folder')
  return (
    <Panel title={t('desktop.app')}>
      <QueryView query={server} verb={t('settings.loadingServer')}>
        {({ data_folder, version, electron, node }) => (
          <>
            <SettingLine label={t('desktop.dataFolder')}>
              <Group gap={12}>
                <CopyText value={data_folder} label={t('desktop.dataFolder')} wraps />
                {canOpenFolder && (
                  <ActionButton
                    variant="default"
                    busy={open.busy}
                    busyLabel={t('desktop.openingFolder')}
                    onCancel={open.cancel}
                    onClick={() => void open.run({})}
                  >
                    {t('desktop.openFolder')}
                  </ActionButton>
                )}
              </Group>
            </SettingLine>
            <SettingLine label={t('desktop.versions')}>
              <span className="mono">
                {[
                  `Switchyard ${version}`,
                  `Electron ${electron ?? '–'}`,
                  `Chromium ${chromium ?? '–'}`,
                  `Node ${node}`,
                ].join(' · ')}
              </span>
            </SettingLine>
          </>
        )}
      </QueryView>
      <FailureNote failure={open.failure} />
    </Panel>
  )
}
