import { Anchor, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import styles from '../redeem.module.css'
import { CreemProducts } from './creem-products.tsx'
import { StripeForm } from './stripe-form.tsx'

/** Hidden when no payment provider is set up. */
export function TopUpPanel() {
  const { t } = useTranslation()
  const info = useOperation('topup.info', {})
  const status = useOperation('status.get', {})
  const link = status.data?.top_up_link
  const hasStripe = info.data?.enable_stripe_topup === true
  const hasCreem = info.data?.enable_creem_topup === true
  if (info.isError) {
    return <FailureNote failure={info.error} onRetry={() => void info.refetch()} />
  }
  if (!link && !hasStripe && !hasCreem) return null
  return (
    <Panel title={t('redeem.topUpTitle')} hint={t('redeem.topUpHint')}>
      {info.data && status.data && hasStripe && (
        <div className={styles.way}>
          <StripeForm info={info.data} unitPrice={status.data.stripe_unit_price} />
        </div>
      )}
      {info.data && hasCreem && (
        <div className={styles.way}>
          <CreemProducts products={info.data.creem_products} />
        </div>
      )}
      {link && (
        <div className={styles.way}>
          <Text>
            <Anchor href={link} target="_blank" rel="noreferrer" inherit>
              {t('redeem.topUpLink')} <IconExternalLink size={12} aria-hidden />
            </Anchor>
          </Text>
        </div>
      )}
    </Panel>
  )
}
