import { useTranslation } from 'react-i18next'
import { Page } from '../../components/layout/page.tsx'
import { useIsShared } from '../../gateway/use-is-shared.ts'
import { RedeemPanel } from './redeem-panel.tsx'
import { TopUpPanel } from './top-up/top-up-panel.tsx'

export function RedeemPage() {
  const { t } = useTranslation()
  const isShared = useIsShared()
  return (
    <Page title={t('redeem.title')} hint={t('redeem.hint')}>
      <RedeemPanel />
      {isShared && <TopUpPanel />}
    </Page>
  )
}
