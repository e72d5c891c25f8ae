import { Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import { useAction } from '../../../gateway/queries.ts'
import styles from '../redeem.module.css'
import { CheckoutLink } from './checkout-link.tsx'

/** An entry of the option `CreemProducts`; `quota` is in units. */
interface CreemProduct {
  productId: string
  name: string
  price: number
  currency: string
  quota: number
}

export function CreemProducts({ products }: { products: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const list = useMemo(() => JSON.parse(products) as CreemProduct[], [products])
  const pay = useAction('creem.pay', ['topup.list', 'topup.list-self'])
  const [chosen, setChosen] = useState<string | null>(null)
  const [link, setLink] = useState<string | null>(null)

  const buy = async (productId: string) => {
    setChosen(productId)
    setLink(null)
    const reply = await pay.run({ product_id: productId, payment_method: 'creem' })
    if (reply) setLink(reply.data.checkout_url)
  }

  return (
    <Stack gap="sm">
      <ul className={styles.products} aria-label={t('redeem.products')}>
        {list.map(({ productId, name, price, currency, quota }) => (
          <li key={productId} className={styles.product}>
            <Text fw={600}>{name}</Text>
            <Text c="dimmed">{t('redeem.adds', { amount: format.money(quota) })}</Text>
            <div className={styles.buy}>
              <ActionButton
                variant="default"
                busy={pay.busy && chosen === productId}
                busyLabel={t('redeem.ordering')}
                onCancel={pay.cancel}
                onClick={() => void buy(productId)}
                aria-label={t('redeem.buyProduct', { name, price: format.charge(price, currency) })}
              >
                {t('redeem.buyFor', { price: format.charge(price, currency) })}
              </ActionButton>
            </div>
          </li>
        ))}
      </ul>
      <FailureNote failure={pay.failure} />
      {link && <CheckoutLink url={link} provider="Creem" />}
    </Stack>
  )
}
