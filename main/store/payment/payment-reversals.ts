import type { Ledger, Transaction } from '../ledger/ledger.ts'
import type { Order, PaymentProvider } from './orders.ts'

/** Money that a payment lost again, or seemed to. */
export interface Reversal {
  provider: PaymentProvider
  reversalId: string
  /** One refund; all refunds of a payment together; a dispute; or one of these that took nothing in the end. */
  kind: 'refund' | 'refunded' | 'dispute' | 'failed_refund' | 'won_dispute'
  /** '' = not told. */
  paymentId: string
  /** '' = not told. */
  checkoutId: string
  /** Minor units. */
  amount: number
  /** Lower case; '' = the order's. */
  currency: string
  /** Total paid, in the same currency; null = as the order knows it. */
  paidAmount: number | null
}

/** What is reckoned with of a reversal. */
export type KeptReversal = Pick<Reversal, 'kind' | 'amount' | 'currency' | 'paidAmount'>

/**
 * Keeps a reversal, once; of several tellings of all refunds together the largest stays. One that took nothing in the
 * end stays so, whatever is told of it later: events come in any order.
 */
export function addReversal(
  { run }: Pick<Transaction, 'run'>,
  reversal: Reversal,
  now: number,
): void {
  run(
    `INSERT INTO payment_reversals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET amount = max(amount, excluded.amount),
       kind = iif(kind IN ('failed_refund', 'won_dispute'), kind, excluded.kind)`,
    reversal.provider,
    reversal.reversalId,
    reversal.kind,
    reversal.paymentId,
    reversal.checkoutId,
    reversal.amount,
    reversal.currency,
    reversal.paidAmount,
    now,
  )
}

/** Amount reversed of an order's payment so far. */
export function reversalsOf(
  read: Ledger['read'],
  { provider, paymentId, checkoutId }: Order,
): KeptReversal[] {
  return read(
    `SELECT kind, amount, currency, paid_amount AS paidAmount FROM payment_reversals
     WHERE provider = ?
       AND ((payment_id <> '' AND payment_id = ?) OR (checkout_id <> '' AND checkout_id = ?))`,
    provider,
    paymentId,
    checkoutId,
  ) as unknown as KeptReversal[]
}
