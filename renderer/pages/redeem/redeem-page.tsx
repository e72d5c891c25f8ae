import { useTranslation } from 'react-i18next'
import { Page } from '../../components/layout/page.tsx'
import { useIsAdministrator } from '../../gateway/use-role.ts'
import { CodesPanel } from './codes/codes-panel.tsx'
import { RedeemPanel } from './redeem-panel.tsx'
import { TopUpPanel } from './top-up/top-up-panel.tsx'

export function RedeemPage() {
  const { t } = useTranslation()
  const isAdministrator = useIsAdministrator()
  return (
    <Page title={t('redeem.title')} hint={t('redeem.hint')}>
      <RedeemPanel />
      <TopUpPanel />
      {isAdministrator && <CodesPanel />}
    </Page>
  )
}
