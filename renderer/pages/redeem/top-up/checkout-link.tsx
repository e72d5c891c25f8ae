import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'

interface CheckoutLinkProps {
  url: string
  provider: string
}

/** The checkout opens in its own window. */
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
