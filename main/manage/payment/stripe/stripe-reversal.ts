import { z } from 'zod'
import type { Reversal } from '../../../store/payment/payment-reversals.ts'
import { stripeId } from './stripe-session.ts'

/** https://docs.stripe.com/api/charges/object */
const charge = z.looseObject({
  id: z.string(),
  payment_intent: stripeId,
  amount: z.int(),
  amount_refunded: z.int(),
  currency: z.string(),
})

/** https://docs.stripe.com/api/refunds/object */
const refund = z.looseObject({
  id: z.string(),
  payment_intent: stripeId,
  amount: z.int(),
  currency: z.string(),
  status: z.string().nullish(),
})

/** https://docs.stripe.com/api/disputes/object */
const dispute = z.looseObject({
  id: z.string(),
  payment_intent: stripeId,
  amount: z.int(),
  currency: z.string(),
  status: z.string().nullish(),
})

/** null when there is nothing to take back, or nothing to know it by. */
type Reading = Reversal | 'malformed' | null

const base = { provider: 'stripe', checkoutId: '', paidAmount: null } as const

/** All refunds of a charge together: it tells their sum. */
export function refundedCharge(object: unknown): Reading {
  const { data } = charge.safeParse(object)
  if (!data) return 'malformed'
  if (data.payment_intent === '' || data.amount_refunded <= 0) return null
  return {
    ...base,
    reversalId: data.id,
    kind: 'refunded',
    paymentId: data.payment_intent,
    amount: data.amount_refunded,
    currency: data.currency.toLowerCase(),
    paidAmount: data.amount,
  }
}

const noRefund = new Set(['failed', 'canceled'])

function createdRefund(object: unknown): Reading {
  const { data } = refund.safeParse(object)
  if (!data) return 'malformed'
  if (data.payment_intent === '' || noRefund.has(data.status ?? '')) return null
  return {
    ...base,
    reversalId: data.id,
    kind: 'refund',
    paymentId: data.payment_intent,
    amount: data.amount,
    currency: data.currency.toLowerCase(),
  }
}

/** Disputes that took nothing away, or gave it back. */
const noDispute = new Set(['won', 'prevented', 'warning_closed'])

/** A dispute as its event tells of it, or as it is found later. */
export function openedDispute(object: unknown): Reading {
  const { data } = dispute.safeParse(object)
  if (!data) return 'malformed'
  if (data.payment_intent === '' || noDispute.has(data.status ?? '')) return null
  return {
    ...base,
    reversalId: data.id,
    kind: 'dispute',
    paymentId: data.payment_intent,
    amount: data.amount,
    currency: data.currency.toLowerCase(),
  }
}

/** How the object of each event that takes money back is read. */
export const stripeReversals: Readonly<Record<string, (object: unknown) => Reading>> = {
  'charge.refunded': refundedCharge,
  'refund.created': createdRefund,
  'charge.dispute.created': openedDispute,
}
