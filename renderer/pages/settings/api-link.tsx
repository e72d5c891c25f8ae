import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Panel } from '../../components/layout/panel.tsx'
import { SettingLine } from './setting-line.tsx'

export function ApiLink() {
  const { t } = useTranslation()
  return (
    <Panel title={t('settings.forScripts')}>
      <SettingLine label={t('settings.api')} hint={t('settings.apiHint')}>
        <Anchor component={Link} href="/api-reference">
          {t('settings.openApi')}
        </Anchor>
      </SettingLine>
    </Panel>
  )
}
