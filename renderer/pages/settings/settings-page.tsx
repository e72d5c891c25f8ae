import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page.tsx'
import { AccessToken } from './access-token.tsx'
import { Appearance } from './appearance.tsx'
import { GatewayOptions } from './gateway-options.tsx'
import { PasswordForm } from './password-form.tsx'
import { ServerPanel } from './server-panel.tsx'

/** Language and theme, the server, the account, and how the gateway behaves. */
export function SettingsPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('settings.title')} narrow>
      <Appearance />
      <ServerPanel />
      <PasswordForm />
      <AccessToken />
      <GatewayOptions />
    </Page>
  )
}
