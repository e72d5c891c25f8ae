import { unixSeconds } from '../../base/clock.ts'
import { quotaText } from '../../base/quota-text.ts'
import type { Sentence } from '../../base/reason.ts'
import type { Transaction } from '../../store/ledger/ledger.ts'
import {
  changeOrder,
  moveOrder,
  type Order,
  type OrderStatus,
  orderByTradeNo,
  type PaymentProvider,
} from '../../store/payment/orders.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { settleReversals } from './claw-back.ts'
import { isTradeNo } from './new-order.ts'
import { addNote, bookCredit, type Source, warnOwner } from './order-log.ts'

/** A payment as reported by the provider or, without one, by a person. */
export interface Payment {
  /** '' = not told. */
  paymentId: string
  /** Minor units; null = not told. */
  paidAmount: number | null
}

const lateNotes: Readonly<Partial<Record<OrderStatus, Sentence>>> = {
  expired: {
    message: 'Paid after it had expired; it was credited.',
    reason: { code: 'order_paid_after_expiry' },
  },
  failed: {
    message: 'Paid after it had failed; it was credited.',
    reason: { code: 'order_paid_after_failure' },
  },
}

const userDeleted: Sentence = {
  message: 'Its user was deleted before the payment came. Refund the payment at the provider.',
  reason: { code: 'order_user_deleted' },
}

/**
 * Makes an order a paid one and credits what was agreed when it was made, once: the one way for events, for
 * what the provider answers, and for administrators. An order that was taken for lost is credited all the
 * same, with a note. Refunds that came before their payment are taken back at once.
 */
export function completeOrder(
  transaction: Transaction,
  order: Order,
  { paymentId, paidAmount }: Payment,
  source: Source,
  parts: GatewayParts,
): 'credited' | 'was paid before' {
  if (!moveOrder(transaction, order, ['pending', 'expired', 'failed'], 'success')) {
    // A person may have completed it before the provider's event.
    learnPayment(transaction, order, { paymentId, paidAmount }, source, parts)
    return 'was paid before'
  }
  const paid = changeOrder(transaction, order, {
    status: 'success',
    completeTime: unixSeconds(),
    // A person doesn't tell what is known of a payment that didn't fit.
    paymentId: paymentId || order.paymentId,
    paidAmount: paidAmount ?? order.paidAmount,
  })
  const { credit: quota } = order
  const provider = order.provider === 'stripe' ? 'Stripe' : 'Creem'
  const amount = quotaText(quota)
  const content: Sentence = {
    message: `Paid with ${provider}, order ${order.tradeNo}: ${amount} credited.`,
    reason: { code: 'audit_order_paid', provider, order: order.tradeNo, amount },
  }
  bookCredit(transaction, paid, { type: 1, quota, content }, source, parts)
  const note = lateNotes[order.status]
  let noted = note ? addNote(transaction, paid, note) : paid
  if (!parts.users.byId(order.userId)) {
    noted = warnOwner(transaction, noted, userDeleted, source, parts)
  }
  settleReversals(transaction, noted, source, parts)
  return 'credited'
}

/**
 * Keeps the payment of an order that has none yet, by which its refunds and disputes find it: also of one that didn't
 * fit, since a person may have completed the order, or still do so.
 */
export function learnPayment(
  transaction: Transaction,
  order: Order,
  { paymentId, paidAmount }: Payment,
  source: Source,
  parts: GatewayParts,
): void {
  if (order.paymentId !== '' || paymentId === '') return
  const known = changeOrder(transaction, order, { paymentId, paidAmount })
  settleReversals(transaction, known, source, parts)
}

/**
 * The order that a provider names. One of another provider's is none of its business: the owner is told, and
 * nothing happens to it.
 */
export function orderOfProvider(
  transaction: Transaction,
  { tradeNo, provider }: { tradeNo: string; provider: PaymentProvider },
  source: Source,
  parts: GatewayParts,
): Order | 'unknown' | 'of another provider' {
  const order = tradeNo === '' ? undefined : orderByTradeNo(transaction.all, tradeNo)
  if (!order) {
    // Such as one that was made after the backup which was restored.
    if (isTradeNo(tradeNo)) parts.log.warn({ order: tradeNo, provider }, 'payment of unknown order')
    return 'unknown'
  }
  if (order.provider === provider) return order
  const problem: Sentence = {
    message: `A payment at ${provider} names this order, which is one of ${order.provider}. It was not credited.`,
    reason: { code: 'payment_other_provider', provider, other: order.provider },
  }
  warnOwner(transaction, order, problem, source, parts)
  return 'of another provider'
}
