import { Button, Group, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { useAction, useOperation } from '../../../gateway/queries.ts'
import { CheckoutLink } from './checkout-link.tsx'

const largest = 10_000

export function StripeForm({ info }: { info: OperationOutput<'topup.info'> }) {
  const { t } = useTranslation()
  const offered = info.amount_options.filter((option) => option >= info.stripe_min_topup)
  const [amount, setAmount] = useState<number | string>(offered[0] ?? info.stripe_min_topup)
  const [settled] = useDebouncedValue(Number(amount), 300)
  const isPossible = Number.isInteger(settled) && settled >= info.stripe_min_topup
  const price = useOperation('stripe.amount', { amount: settled }, { enabled: isPossible })
  const pay = useAction('stripe.pay', ['topup.list', 'topup.list-self'])
  const [link, setLink] = useState<string | null>(null)
  const choose = (value: number | string) => {
    setAmount(value)
    setLink(null)
    pay.reset()
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const reply = await pay.run({ amount: Number(amount), payment_method: 'stripe' })
    if (reply) setLink(reply.data.pay_link)
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <Group gap={8} align="flex-end">
          <NumberField
            w={150}
            label={t('redeem.amount')}
            prefix="$"
            min={info.stripe_min_topup}
            max={largest}
            whole
            value={amount}
            onChange={choose}
          />
          <Group gap={4} role="group" aria-label={t('redeem.amounts')}>
            {offered.map((option) => (
              <Button
                key={option}
                variant={Number(amount) === option ? 'light' : 'default'}
                aria-pressed={Number(amount) === option}
                onClick={() => choose(option)}
              >
                {labelOf(option, info.discount[String(option)])}
              </Button>
            ))}
          </Group>
        </Group>
        <FailureNote failure={pay.failure} />
        {link ? (
          <CheckoutLink url={link} provider="Stripe" />
        ) : (
          <Group gap="sm">
            <ActionButton
              type="submit"
              disabled={Number(amount) < info.stripe_min_topup}
              busy={pay.busy}
              busyLabel={t('redeem.ordering')}
              onCancel={pay.cancel}
            >
              {t('redeem.payWith', { provider: 'Stripe' })}
            </ActionButton>
            <Text c="dimmed" role="status">
              {price.isError
                ? price.error.message
                : isPossible && price.data
                  ? t('redeem.toPay', { price: price.data })
                  : t('redeem.minimum', { amount: info.stripe_min_topup })}
            </Text>
          </Group>
        )}
      </Stack>
    </form>
  )
}

/** `$100`, or with a discount `$100 −10%`. */
function labelOf(option: number, factor: number | undefined): string {
  const percent = factor === undefined ? 0 : Math.round((1 - factor) * 1000) / 10
  return percent > 0 ? `$${option} −${percent}%` : `$${option}`
}
