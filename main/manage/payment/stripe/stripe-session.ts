import { z } from 'zod'
import type { Sentence } from '../../../base/reason.ts'
import type { Transaction } from '../../../store/ledger/ledger.ts'
import { moveOrder, type Order } from '../../../store/payment/orders.ts'
import type { Settings } from '../../../store/state/settings.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { completeOrder, learnPayment, orderOfProvider } from '../complete-order.ts'
import { addNote, type Source, warnOwner } from '../order-log.ts'
import { otherAmount, otherCheckout } from '../wrong-payment.ts'
import { isLiveKey } from './stripe-client.ts'

/** Stripe gives an object in place of its id where that was asked for; '' where there is none. */
export const stripeId = z
  .union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .transform((id) => id ?? '')

/** The fields read of a checkout session: https://docs.stripe.com/api/checkout/sessions/object */
export const stripeSession = z.looseObject({
  id: z.string(),
  client_reference_id: z.string().nullish(),
  customer: stripeId,
  status: z.string().nullish(),
  payment_status: z.string().nullish(),
  amount_total: z.int().nullish(),
  amount_subtotal: z.int().nullish(),
  currency: z.string().nullish(),
  payment_intent: stripeId,
  mode: z.string().nullish(),
  allow_promotion_codes: z.boolean().nullish(),
})

export type StripeSession = z.output<typeof stripeSession>

/** The mismatch between a paid session and its order, for the owner; null when there is none. */
function problemOf(
  session: StripeSession,
  isLive: boolean,
  order: Order,
  settings: Settings,
): Sentence | null {
  const { StripeApiSecret, StripePromotionCodesEnabled } = settings
  const { amount_subtotal: subtotal, amount_total: total } = session
  const currency = session.currency?.toLowerCase()
  const isOtherMode = StripeApiSecret !== '' && isLiveKey(StripeApiSecret) !== isLive
  if (isLive !== order.isLive || isOtherMode) {
    const mode = isLive ? 'live' : 'test'
    return {
      message: `It was paid in Stripe's ${mode} mode, which is not the one in use. It was not credited.`,
      reason: { code: 'payment_other_mode', provider: 'Stripe', mode },
    }
  }
  if (session.mode !== 'payment') {
    return {
      message: `Stripe's checkout is of the mode "${session.mode}", not "payment". It was not credited.`,
      reason: { code: 'payment_wrong_kind', mode: String(session.mode) },
    }
  }
  if (session.id !== order.checkoutId || order.expectedAmount === null) {
    return otherCheckout
  }
  const expected = `${order.expectedAmount} ${order.currency}`
  if (currency !== order.currency || subtotal !== order.expectedAmount) {
    return otherAmount(subtotal, currency, expected)
  }
  const mayBeLess = StripePromotionCodesEnabled || session.allow_promotion_codes === true
  if (!mayBeLess && typeof total === 'number' && total < subtotal) {
    const paid = `${total} ${currency}`
    return {
      message: `${paid} was paid in place of ${expected} (in minor units), without a promotion code. It was not credited.`,
      reason: { code: 'payment_without_promotion', paid, expected },
    }
  }
  return null
}

function completed(
  transaction: Transaction,
  session: StripeSession,
  isLive: boolean,
  order: Order,
  source: Source,
  parts: GatewayParts,
): string {
  if (session.status !== 'complete') return `ignored: the session is ${session.status}`
  if (session.payment_status === 'no_payment_required') {
    addNote(transaction, order, {
      message: 'Nothing had to be paid at Stripe; complete it by hand if that was meant.',
      reason: { code: 'stripe_nothing_due' },
    })
    return 'ignored: nothing had to be paid'
  }
  if (session.payment_status !== 'paid') return `ignored: ${session.payment_status}`
  const payment = { paymentId: session.payment_intent, paidAmount: session.amount_total ?? null }
  const problem = problemOf(session, isLive, order, parts.settings.current)
  if (problem !== null) {
    warnOwner(transaction, order, problem, source, parts)
    if (session.id === order.checkoutId) learnPayment(transaction, order, payment, source, parts)
    return `refused: ${problem.message}`
  }
  return completeOrder(transaction, order, payment, source, parts)
}

/** Outcome of a checkout. */
export type SessionChange = 'completed' | 'expired' | 'failed'

/**
 * Does to its order what happened to a checkout session; gives what came of it. Credits are the order's own:
 * what the session says of its worth is only compared.
 */
export function applySession(
  transaction: Transaction,
  { session, isLive, change }: { session: StripeSession; isLive: boolean; change: SessionChange },
  source: Source,
  parts: GatewayParts,
): string {
  const tradeNo = session.client_reference_id ?? ''
  const order = orderOfProvider(transaction, { tradeNo, provider: 'stripe' }, source, parts)
  if (typeof order === 'string') return `ignored: the order is ${order}`
  if (change === 'completed') return completed(transaction, session, isLive, order, source, parts)
  if (session.id !== order.checkoutId) return 'ignored: another checkout'
  if (change === 'expired' && session.status !== 'expired') return `ignored: ${session.status}`
  return moveOrder(transaction, order, ['pending'], change) ? change : 'ignored: no longer pending'
}

/** Keeps the customer that Stripe has for the buyer of an order, so that the next checkout knows them. */
export function keepCustomer(
  { id, customer }: StripeSession,
  order: Order | undefined,
  parts: GatewayParts,
): void {
  if (order?.status !== 'success' || order.checkoutId !== id) return
  const user = parts.users.byId(order.userId)
  if (!user || customer === '' || user.stripeCustomer === customer) return
  parts.users.update(user.id, { stripeCustomer: customer })
}
