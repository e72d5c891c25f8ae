import { useTranslation } from 'react-i18next'
import { Page } from '../../components/layout/page.tsx'
import { useIsAdministrator } from '../../gateway/use-role.ts'
import { AddressCard } from './address-card.tsx'
import { ChannelStrip } from './channel-strip.tsx'
import { LatestCalls } from './latest-calls.tsx'
import { LowBalance } from './low-balance.tsx'
import { NextStep } from './next-step.tsx'
import styles from './overview.module.css'
import { TodayCost } from './today-cost.tsx'

/** Is it well, what is happening, and what did today cost? */
export function OverviewPage() {
  const { t } = useTranslation()
  const isAdministrator = useIsAdministrator()
  return (
    <Page title={t('overview.title')}>
      <NextStep />
      <LowBalance />
      <div className={styles.top} data-alone={!isAdministrator || undefined}>
        <AddressCard />
        {isAdministrator && <ChannelStrip />}
      </div>
      <div className={styles.bottom}>
        <LatestCalls />
        <TodayCost />
      </div>
    </Page>
  )
}
