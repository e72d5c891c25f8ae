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

/** Statuses of refunds that gave nothing back. */
const noRefund = new Set(['failed', 'canceled'])

/** One refund, as it stands now. */
export function currentRefund(object: unknown): Reading {
  const { data } = refund.safeParse(object)
  if (!data) return 'malformed'
  if (data.payment_intent === '') return null
  return {
    ...base,
    reversalId: data.id,
    kind: noRefund.has(data.status ?? '') ? 'failed_refund' : 'refund',
    paymentId: data.payment_intent,
    amount: data.amount,
    currency: data.currency.toLowerCase(),
  }
}

/** Statuses of disputes that took nothing in the end. */
const noDispute = new Set(['won', 'prevented', 'warning_closed'])

/** An inquiry takes nothing, unless it becomes a dispute: https://docs.stripe.com/disputes/how-disputes-work */
const inquiry = new Set(['warning_needs_response', 'warning_under_review'])

/** A dispute as its events tell of it, or as it is found later. */
export function currentDispute(object: unknown): Reading {
  const { data } = dispute.safeParse(object)
  if (!data) return 'malformed'
  const status = data.status ?? ''
  if (data.payment_intent === '' || inquiry.has(status)) return null
  return {
    ...base,
    reversalId: data.id,
    kind: noDispute.has(status) ? 'won_dispute' : 'dispute',
    paymentId: data.payment_intent,
    amount: data.amount,
    currency: data.currency.toLowerCase(),
  }
}

/** How the object of each event is read that takes money back, or tells that it was not taken after all. */
export const stripeReversals: Readonly<Record<string, (object: unknown) => Reading>> = {
  'charge.refunded': refundedCharge,
  'refund.created': currentRefund,
  'refund.updated': currentRefund,
  'refund.failed': currentRefund,
  'charge.refund.updated': currentRefund,
  'charge.dispute.created': currentDispute,
  'charge.dispute.updated': currentDispute,
  'charge.dispute.funds_withdrawn': currentDispute,
  'charge.dispute.closed': currentDispute,
  'charge.dispute.funds_reinstated': currentDispute,
}
