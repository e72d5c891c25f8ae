import type { Ledger, Transaction } from '../ledger/ledger.ts'
import type { Order, PaymentProvider } from './orders.ts'

/** Money that a payment lost again. */
export interface Reversal {
  provider: PaymentProvider
  reversalId: string
  /** One refund; all refunds of a payment together; or a dispute. */
  kind: 'refund' | 'refunded' | 'dispute'
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

/** Keeps a reversal, once; of several tellings of all refunds together the largest stays. */
export function addReversal(
  { run }: Pick<Transaction, 'run'>,
  reversal: Reversal,
  now: number,
): void {
  run(
    `INSERT INTO payment_reversals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET amount = max(amount, excluded.amount)`,
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
): Pick<Reversal, 'kind' | 'amount' | 'currency' | 'paidAmount'>[] {
  return read(
    `SELECT kind, amount, currency, paid_amount AS paidAmount FROM payment_reversals
     WHERE provider = ?
       AND ((payment_id <> '' AND payment_id = ?) OR (checkout_id <> '' AND checkout_id = ?))`,
    provider,
    paymentId,
    checkoutId,
  ) as unknown as Pick<Reversal, 'kind' | 'amount' | 'currency' | 'paidAmount'>[]
}
