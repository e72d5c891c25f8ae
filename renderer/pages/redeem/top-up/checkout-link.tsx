import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'

interface CheckoutLinkProps {
  /** The provider's checkout of an order that was just made. */
  url: string
  provider: string
}

/** Leads to the checkout, which opens in a window of its own, and says what comes after it. */
export function CheckoutLink({ url, provider }: CheckoutLinkProps) {
  const { t } = useTranslation()
  return (
    <Alert role="status">
      <Group justify="space-between" gap="sm">
        <Text maw={520}>
          {t('redeem.ordered', { provider })}{' '}
          <Anchor component={Link} href="/payments" inherit>
            {t('redeem.toPayments')}
          </Anchor>
        </Text>
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          rightSection={<IconExternalLink size={14} aria-hidden />}
        >
          {t('redeem.openCheckout', { provider })}
        </Button>
      </Group>
    </Alert>
  )
}
