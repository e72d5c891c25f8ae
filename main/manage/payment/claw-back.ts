import { unixSeconds } from '../../base/clock.ts'
import { quotaText } from '../../base/quota-text.ts'
import type { Sentence } from '../../base/reason.ts'
import type { Transaction } from '../../store/ledger/ledger.ts'
import { changeOrder, type Order, orderOfPayment } from '../../store/payment/orders.ts'
import {
  addReversal,
  type KeptReversal,
  type Reversal,
  reversalsOf,
} from '../../store/payment/payment-reversals.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { bookCredit, type Source } from './order-log.ts'

const wasPaid = ({ status }: Order): boolean =>
  status === 'success' || status === 'refunded' || status === 'disputed'

/**
 * The part of a payment that one reversal is, 0 to 1. Amounts of different currencies cannot be compared:
 * then it is taken for the whole.
 */
function partOf({ amount, currency, paidAmount }: KeptReversal, order: Order): number {
  const isSameCurrency = currency === '' || currency === order.currency
  const whole = paidAmount ?? (isSameCurrency ? (order.paidAmount ?? order.expectedAmount) : null)
  if (whole === null || whole <= 0) return 1
  return Math.min(1, amount / whole)
}

/** The part of a payment that its reversals are together, 0 to 1. */
function partOfAll(reversals: readonly KeptReversal[], order: Order): number {
  const sum = (kind: Reversal['kind']) =>
    reversals.filter((one) => one.kind === kind).reduce((all, one) => all + partOf(one, order), 0)
  // Single refunds and their sum are told by different events, of which either may be missing. One that failed was in
  // the sum that was told before.
  const refunds = Math.max(sum('refund'), sum('refunded') - sum('failed_refund'))
  return Math.min(1, refunds + sum('dispute'))
}

function sentenceOf({ tradeNo }: Order, due: number, isDisputed: boolean): Sentence {
  const amount = quotaText(Math.abs(due))
  if (due < 0)
    return {
      message: `A refund of order ${tradeNo} failed, or a dispute over it was won: ${amount} given back.`,
      reason: { code: 'audit_payment_restored', order: tradeNo, amount },
    }
  return {
    message: `The payment of order ${tradeNo} was ${isDisputed ? 'disputed' : 'refunded'}: ${amount} taken back.`,
    reason: {
      code: isDisputed ? 'audit_payment_disputed' : 'audit_payment_refunded',
      ...{ order: tradeNo, amount },
    },
  }
}

/**
 * Takes back what an order's refunds and disputes are worth, less what was taken back before, and gives back what was
 * taken for those that came to nothing. What is due is reckoned from all of them anew, so that neither their order nor
 * their repetition matters. A balance may become negative.
 */
export function settleReversals(
  transaction: Transaction,
  order: Order,
  source: Source,
  parts: GatewayParts,
): void {
  if (!wasPaid(order)) return
  const reversals = reversalsOf(transaction.all, order)
  if (reversals.length === 0) return
  const part = partOfAll(reversals, order)
  const isDisputed = reversals.some(({ kind }) => kind === 'dispute')
  const due = Math.round(order.credit * part) - order.clawedBack
  changeOrder(transaction, order, {
    status: isDisputed ? 'disputed' : part > 0 ? 'refunded' : 'success',
    clawedBack: order.clawedBack + due,
  })
  if (due === 0) return
  const content = sentenceOf(order, due, isDisputed)
  bookCredit(transaction, order, { type: 6, quota: -due, content }, source, parts)
}

/** Takes in a refund or a dispute; one whose payment is not known yet waits for it. Gives what came of it. */
export function reverse(
  transaction: Transaction,
  reversal: Reversal,
  source: Source,
  parts: GatewayParts,
): string {
  addReversal(transaction, reversal, unixSeconds())
  const order = orderOfPayment(transaction.all, reversal)
  if (!order) return 'waits for its payment'
  settleReversals(transaction, order, source, parts)
  return `order ${order.tradeNo}`
}
