import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Redirect, useLocation } from 'wouter'
import { Page } from '../../components/layout/page.tsx'
import { useOperation } from '../../gateway/queries.ts'
import { roles, useRole } from '../../gateway/use-role.ts'
import { AccessToken } from './access-token.tsx'
import { ApiLink } from './api-link.tsx'
import { Appearance } from './appearance.tsx'
import { DesktopSettings } from './desktop/desktop-settings.tsx'
import { GatewayOptions } from './options/gateway-options.tsx'
import { PasswordForm } from './password-form.tsx'
import { Preferences } from './preferences.tsx'
import { AuditLog } from './security/audit-log.tsx'
import { Sessions } from './security/sessions.tsx'
import { TwoFactor } from './security/two-factor.tsx'
import { ServerPanel } from './server-panel.tsx'
import { SharePanel } from './sharing/share-panel.tsx'
import { TransferSettings } from './transfer/transfer-settings.tsx'

const sections = ['general', 'security', 'options', 'transfer', 'desktop'] as const
type Section = (typeof sections)[number]

const ownerSections: readonly Section[] = ['options', 'transfer', 'desktop']

const pathOf = (section: Section): string =>
  section === 'general' ? '/settings' : `/settings/${section}`

export function SettingsPage({ params }: { params: { section?: string | undefined } }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const role = useRole()
  const section = sections.find((one) => one === (params.section ?? 'general'))
  const isOwner = role >= roles.owner
  const desktop = useOperation('desktop.get', {}, { enabled: isOwner })
  const offered = sections.filter((one) => isOwner || !ownerSections.includes(one))
  // A link to the desktop section works headless too; the section then says that there is no desktop.
  const shown = offered.filter(
    (one) => one !== 'desktop' || desktop.data?.available || section === 'desktop',
  )
  if (!section || (role > 0 && !offered.includes(section)))
    return <Redirect to="/settings" replace />
  return (
    <Page title={t('settings.title')} narrow>
      <SegmentedControl
        aria-label={t('settings.sections')}
        data={shown.map((one) => ({ value: one, label: t(`settings.section_${one}`) }))}
        value={section}
        onChange={(one) => navigate(pathOf(one as Section))}
        style={{ alignSelf: 'flex-start', maxWidth: '100%' }}
      />
      {section === 'general' && (
        <>
          <Appearance />
          <Preferences />
          <ServerPanel />
          {isOwner && <SharePanel />}
          <ApiLink />
        </>
      )}
      {section === 'security' && (
        <>
          <PasswordForm />
          <TwoFactor />
          <Sessions />
          <AccessToken />
          <AuditLog />
        </>
      )}
      {section === 'options' && <GatewayOptions />}
      {section === 'transfer' && <TransferSettings />}
      {section === 'desktop' && <DesktopSettings />}
    </Page>
  )
}
