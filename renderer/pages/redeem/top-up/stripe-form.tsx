import { Button, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { unitsOf } from '../../../components/format/quota-units.ts'
import { useFormat } from '../../../components/format/use-format.ts'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { useAction } from '../../../gateway/queries.ts'
import { CheckoutLink } from './checkout-link.tsx'

const largest = 10_000

interface StripeFormProps {
  info: OperationOutput<'topup.info'>
  /** Stripe’s charge for a dollar of quota, as the owner set it. Stripe knows no group and no discount. */
  unitPrice: number
}

export function StripeForm({ info, unitPrice }: StripeFormProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const offered = info.amount_options.filter((option) => option >= info.stripe_min_topup)
  const [amount, setAmount] = useState<number | string>(offered[0] ?? info.stripe_min_topup)
  const dollars = Number(amount)
  const isPossible =
    Number.isInteger(dollars) && dollars >= info.stripe_min_topup && dollars <= largest
  const pay = useAction('stripe.pay', ['topup.list', 'topup.list-self'])
  const [link, setLink] = useState<string | null>(null)
  const choose = (value: number | string) => {
    setAmount(value)
    setLink(null)
    pay.reset()
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const reply = await pay.run({ amount: dollars, payment_method: 'stripe' })
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
                variant={dollars === option ? 'light' : 'default'}
                aria-pressed={dollars === option}
                onClick={() => choose(option)}
              >
                {`$${option}`}
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
              disabled={!isPossible}
              busy={pay.busy}
              busyLabel={t('redeem.ordering')}
              onCancel={pay.cancel}
            >
              {t('redeem.payWith', { provider: 'Stripe' })}
            </ActionButton>
            <Text c="dimmed" role="status">
              {isPossible
                ? t('redeem.toPay', {
                    credit: format.money(unitsOf(dollars * info.stripe_credit_factor)),
                    price: format.charge(dollars * unitPrice, ''),
                  })
                : t('redeem.possible', {
                    least: format.count(info.stripe_min_topup),
                    most: format.count(largest),
                  })}
            </Text>
          </Group>
        )}
      </Stack>
    </form>
  )
}
