import { z } from 'zod'
import type { Reversal } from '../../../store/payment/payment-reversals.ts'
import { creemId } from './creem-checkout.ts'

const transaction = z
  .union([
    z.string(),
    z.looseObject({
      order: creemId,
      amount_paid: z.int().nullish(),
      currency: z.string().nullish(),
    }),
  ])
  .nullish()

/** Fields that refunds and disputes share: https://docs.creem.io/code/webhooks */
const shared = { id: z.string(), transaction, order: creemId, checkout: creemId }

const refund = z.looseObject({
  ...shared,
  status: z.string().nullish(),
  refund_amount: z.int(),
  refund_currency: z.string().nullish(),
})

const dispute = z.looseObject({
  ...shared,
  amount: z.int(),
  currency: z.string().nullish(),
})

type About = Pick<z.output<typeof dispute>, 'transaction' | 'order' | 'checkout'>

/** Which payment it is about, and what that was in all where its currency can be compared. */
function paymentOf(about: About, currency: string) {
  const known = typeof about.transaction === 'object' ? about.transaction : null
  const isSame = currency === '' || known?.currency?.toLowerCase() === currency
  return {
    paymentId: about.order || (known?.order ?? ''),
    checkoutId: about.checkout,
    paidAmount: (isSame ? known?.amount_paid : null) ?? null,
  }
}

/** null when there is nothing to take back. */
type Reading = Reversal | 'malformed' | null

const noRefund = new Set(['failed', 'canceled'])

function createdRefund(object: unknown): Reading {
  const { data } = refund.safeParse(object)
  if (!data) return 'malformed'
  if (noRefund.has(data.status ?? '')) return null
  const currency = data.refund_currency?.toLowerCase() ?? ''
  return {
    provider: 'creem',
    reversalId: data.id,
    kind: 'refund',
    amount: data.refund_amount,
    currency,
    ...paymentOf(data, currency),
  }
}

function createdDispute(object: unknown): Reading {
  const { data } = dispute.safeParse(object)
  if (!data) return 'malformed'
  const currency = data.currency?.toLowerCase() ?? ''
  return {
    provider: 'creem',
    reversalId: data.id,
    kind: 'dispute',
    amount: data.amount,
    currency,
    ...paymentOf(data, currency),
  }
}

/** https://docs.creem.io/api-reference/endpoint/get-transaction */
const askedTransaction = z.looseObject({
  id: z.string(),
  status: z.string().nullish(),
  amount: z.int(),
  amount_paid: z.int().nullish(),
  refunded_amount: z.int().nullish(),
  currency: z.string(),
})

/**
 * The amount that an order's transaction lost again, at the time of asking. It tells the sum of its refunds, but of a dispute neither
 * the id nor the amount, so that it counts for the whole.
 */
export function reversalsOfTransaction(object: unknown, paymentId: string): Reversal[] {
  const { data } = askedTransaction.safeParse(object)
  if (!data) return []
  const paidAmount = data.amount_paid ?? data.amount
  const base = {
    ...({ provider: 'creem', reversalId: data.id, paymentId, checkoutId: '' } as const),
    ...{ currency: data.currency.toLowerCase(), paidAmount },
  }
  const isRefunded = data.status === 'refunded'
  const refunded = data.refunded_amount ?? (isRefunded ? paidAmount : 0)
  return [
    ...(refunded > 0 ? [{ ...base, kind: 'refunded' as const, amount: refunded }] : []),
    ...(data.status === 'chargedBack'
      ? [
          {
            ...base,
            reversalId: `${data.id}-dispute`,
            kind: 'dispute' as const,
            amount: paidAmount,
          },
        ]
      : []),
  ]
}

/** How the object of each event that takes money back is read. */
export const creemReversals: Readonly<Record<string, (object: unknown) => Reading>> = {
  'refund.created': createdRefund,
  'dispute.created': createdDispute,
}
