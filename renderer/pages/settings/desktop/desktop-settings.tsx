import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useOperation, useRefreshOn } from '../../../gateway/queries.ts'
import { LoneOption } from '../options/lone-option.tsx'
import type { OptionEntry } from '../options/option-entry.ts'
import { AppPanel } from './app-panel.tsx'
import { LoginPanel } from './login-panel.tsx'
import { UpdatePanel } from './update-panel.tsx'

const notifications: readonly OptionEntry[] = [
  {
    key: 'DesktopNotifyKeyRefused',
    kind: 'switch',
    label: 'notifyKeyRefused',
    hint: 'notifyKeyRefusedHint',
  },
  { key: 'DesktopNotifyBudget', kind: 'switch', label: 'notifyBudget', hint: 'notifyBudgetHint' },
  {
    key: 'DesktopNotifyChannel',
    kind: 'switch',
    label: 'notifyChannel',
    hint: 'notifyChannelHint',
  },
]

export function DesktopSettings() {
  const { t } = useTranslation()
  const query = useOperation('desktop.get', {})
  const options = useOperation('option.list', {})
  useRefreshOn('server', [['desktop.get']])
  return (
    <QueryView query={query} verb={t('desktop.loading')}>
      {({ available, in_window, login, update, chromium }) =>
        !available || !login || !update ? (
          <Panel>
            <Text>{t('desktop.unavailable')}</Text>
          </Panel>
        ) : (
          <>
            <LoginPanel login={login} />
            <QueryView query={options} verb={t('settings.loadingOptions')}>
              {(list) => (
                <>
                  <Panel title={t('desktop.notifications')}>
                    {notifications.map((entry) => {
                      const stored = list.find(({ key }) => key === entry.key)
                      return stored && <LoneOption key={entry.key} entry={entry} stored={stored} />
                    })}
                  </Panel>
                  <UpdatePanel
                    update={update}
                    feed={list.find(({ key }) => key === 'DesktopUpdateFeed')}
                  />
                </>
              )}
            </QueryView>
            <AppPanel canOpenFolder={in_window} chromium={chromium} />
          </>
        )
      }
    </QueryView>
  )
}
