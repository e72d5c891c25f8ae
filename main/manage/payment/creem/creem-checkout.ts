import { z } from 'zod'
import type { Sentence } from '../../../base/reason.ts'
import type { Transaction } from '../../../store/ledger/ledger.ts'
import { moveOrder, type Order } from '../../../store/payment/orders.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { completeOrder, learnPayment, orderOfProvider } from '../complete-order.ts'
import { type Source, warnOwner } from '../order-log.ts'
import { otherAmount, otherCheckout } from '../wrong-payment.ts'

/** Creem gives some objects whole or as their id; '' where there is none. */
export const creemId = z
  .union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .transform((id) => id ?? '')

const creemOrder = z.looseObject({
  id: z.string(),
  product: creemId,
  amount: z.int().nullish(),
  sub_total: z.int().nullish(),
  amount_paid: z.int().nullish(),
  discount_amount: z.int().nullish(),
  currency: z.string().nullish(),
  status: z.string().nullish(),
  type: z.string().nullish(),
  transaction: creemId,
})

/** The fields read of a checkout: https://docs.creem.io/api-reference/endpoint/get-checkout */
export const creemCheckout = z.looseObject({
  id: z.string(),
  request_id: z.string().nullish(),
  status: z.string().nullish(),
  mode: z.string().nullish(),
  product: creemId,
  order: z.union([creemOrder, z.string()]).nullish(),
  customer: z
    .union([z.string(), z.looseObject({ email: z.string().nullish() })])
    .nullish()
    .transform((customer) => (typeof customer === 'object' ? (customer?.email ?? '') : '')),
})

export type CreemCheckout = z.output<typeof creemCheckout>
type CreemOrder = z.output<typeof creemOrder>

/** Other words than these (`test`, `sandbox`, `local`) mean that no real money moved. */
const liveModes = new Set(['prod', 'live'])

/** Has it been paid, once and not by a subscription? */
function paidOrder({ status, order }: CreemCheckout): CreemOrder | null {
  if (status !== 'completed' || typeof order !== 'object' || order === null) return null
  return order.status === 'paid' && order.type === 'onetime' ? order : null
}

/** The mismatch between a paid checkout and its order, for the owner; null when there is none. */
function problemOf(
  { id, mode, product }: CreemCheckout,
  paid: CreemOrder,
  order: Order,
  isTestMode: boolean,
): Sentence | null {
  const isLive = liveModes.has(mode ?? '')
  const currency = paid.currency?.toLowerCase()
  if (isLive !== order.isLive || isLive === isTestMode) {
    return {
      message: `It was paid in Creem's mode "${mode}", which is not the one in use. It was not credited.`,
      reason: { code: 'payment_other_mode', provider: 'Creem', mode: String(mode) },
    }
  }
  if (id !== order.checkoutId) {
    return otherCheckout
  }
  const bought = paid.product || product
  if (bought !== order.productId) {
    return {
      message: `The product "${bought}" was paid in place of "${order.productId}". It was not credited.`,
      reason: { code: 'payment_other_product', bought, product: order.productId },
    }
  }
  // Where taxes come on top, `amount` may hold them, and `sub_total` is the price.
  const price = `${order.expectedAmount} ${order.currency}`
  const isPrice = [paid.amount, paid.sub_total].includes(order.expectedAmount)
  if (currency !== order.currency || !isPrice) {
    return otherAmount(paid.amount, currency, price)
  }
  const { amount_paid: received } = paid
  if (typeof received !== 'number') return null
  if (received <= 0) {
    return {
      message:
        'Nothing had to be paid at Creem. It was not credited; complete the order by hand if that was meant.',
      reason: { code: 'payment_nothing_due' },
    }
  }
  const least = (order.expectedAmount ?? 0) - Math.max(0, paid.discount_amount ?? 0)
  if (received >= least) return null
  const came = `${received} ${currency}`
  return {
    message: `${came} was received for a price of ${price} (in minor units), and no discount explains the difference. It was not credited.`,
    reason: { code: 'payment_without_discount', paid: came, expected: price },
  }
}

/** Outcome of a checkout. The last two are reported to Creem, so that it sends the event again. */
export type CheckoutOutcome =
  | { kind: 'done'; text: string }
  | { kind: 'no request id' }
  | { kind: 'unknown order' }

const done = (text: string): CheckoutOutcome => ({ kind: 'done', text })

/**
 * Does to its order what happened to a checkout. Credits are the order's own: what the checkout says of its
 * worth is only compared.
 */
export function applyCheckout(
  transaction: Transaction,
  checkout: CreemCheckout,
  source: Source,
  parts: GatewayParts,
): CheckoutOutcome {
  const paid = paidOrder(checkout)
  if (!paid && checkout.status !== 'expired') return done('ignored: not paid, or not once')
  const tradeNo = checkout.request_id ?? ''
  if (tradeNo === '') return { kind: 'no request id' }
  const order = orderOfProvider(transaction, { tradeNo, provider: 'creem' }, source, parts)
  if (order === 'unknown') return { kind: 'unknown order' }
  if (typeof order === 'string') return done(`ignored: the order is ${order}`)
  if (!paid) {
    const isOurs = checkout.id === order.checkoutId
    return done(isOurs && moveOrder(transaction, order, ['pending'], 'expired') ? 'expired' : '')
  }
  const payment = { paymentId: paid.id, paidAmount: paid.amount_paid ?? paid.amount ?? null }
  const problem = problemOf(checkout, paid, order, parts.settings.current.CreemTestMode)
  if (problem !== null) {
    warnOwner(transaction, order, problem, source, parts)
    if (checkout.id === order.checkoutId) learnPayment(transaction, order, payment, source, parts)
    return done(`refused: ${problem.message}`)
  }
  return done(completeOrder(transaction, order, payment, source, parts))
}

const LONGEST_EMAIL = 50

/** Keeps the address that the buyer of an order gave to Creem, unless one is known already. */
export function keepEmail(
  { id, customer: email }: CreemCheckout,
  order: Order | undefined,
  { users }: GatewayParts,
): void {
  if (order?.status !== 'success' || order.checkoutId !== id) return
  if (!email.includes('@') || email.length > LONGEST_EMAIL) return
  const user = users.byId(order.userId)
  // The buyer may have given anything, also what somebody else signs in with.
  if (user?.email === '' && users.mayHaveEmail(user.id, email)) users.update(user.id, { email })
}
