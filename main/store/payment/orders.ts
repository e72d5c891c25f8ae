import type { Reason } from '../../base/reason.ts'
import type { Ledger, Transaction } from '../ledger/ledger.ts'

export type PaymentProvider = 'stripe' | 'creem'

export type OrderStatus = 'pending' | 'success' | 'expired' | 'failed' | 'refunded' | 'disputed'

/** A note for administrators. Notes of versions before 2026-11-28 have no reason. */
export interface OrderNote {
  /** In English. */
  message: string
  reason?: Reason | undefined
}

/** A purchase of quota. It is kept before the provider hears of it. */
export interface Order {
  id: number
  userId: number
  /** `ref_` and 40 hex digits; the provider sends it back. */
  tradeNo: string
  provider: PaymentProvider
  /** Stripe: dollars asked for; Creem: units. */
  amount: number
  /** Stripe: dollars that are credited; Creem: the price. */
  money: number
  /** Units that a payment credits. */
  credit: number
  /** Creem's product; '' with Stripe. */
  productId: string
  /** Lower case; '' until the provider has told it. */
  currency: string
  /** Minor units of the currency; null until the provider has told it. */
  expectedAmount: number | null
  /** Minor units that were paid; null until they were, or where only a person says that they were. */
  paidAmount: number | null
  /** The provider's checkout; '' when it was never made. */
  checkoutId: string
  /** Where the buyer pays; '' when it was never made, and for orders of versions before 2026-11-28. */
  checkoutUrl: string
  /** The provider's payment; '' until there is one. */
  paymentId: string
  /** Paid with real money. */
  isLive: boolean
  status: OrderStatus
  /** Units taken back after a refund or a dispute. */
  clawedBack: number
  notes: readonly OrderNote[]
  createTime: number
  /** 0 = not paid. */
  completeTime: number
}

type Read = Ledger['read']
type Writing = Pick<Transaction, 'all' | 'run'>

const columns = {
  userId: 'user_id',
  tradeNo: 'trade_no',
  provider: 'provider',
  amount: 'amount',
  money: 'money',
  credit: 'credit',
  productId: 'product_id',
  currency: 'currency',
  expectedAmount: 'expected_amount',
  paidAmount: 'paid_amount',
  checkoutId: 'checkout_id',
  checkoutUrl: 'checkout_url',
  paymentId: 'payment_id',
  isLive: 'is_live',
  status: 'status',
  clawedBack: 'clawed_back',
  notes: 'notes',
  createTime: 'create_time',
  completeTime: 'complete_time',
} as const satisfies Record<Exclude<keyof Order, 'id'>, string>

const SELECT = `SELECT id, ${Object.entries(columns)
  .map(([name, column]) => `${column} AS ${name}`)
  .join(', ')} FROM orders`

const toOrder = (row: Record<string, unknown>): Order =>
  ({
    ...row,
    isLive: row.isLive === 1,
    notes: JSON.parse(String(row.notes)),
  }) as unknown as Order

function toValue(value: Order[keyof Order]): string | number | null {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/** Keeps a new order. */
export function addOrder({ all, run }: Writing, fields: Omit<Order, 'id'>): Order {
  const names = Object.keys(columns) as (keyof typeof columns)[]
  run(
    `INSERT INTO orders (${names.map((name) => columns[name]).join(', ')})
     VALUES (${names.map(() => '?').join(', ')})`,
    ...names.map((name) => toValue(fields[name])),
  )
  return toOrder(all(`${SELECT} WHERE trade_no = ?`, fields.tradeNo)[0] as Record<string, unknown>)
}

/** Writes some fields of an order; gives it as it is then. */
export function changeOrder(
  { run }: Pick<Transaction, 'run'>,
  order: Order,
  fields: Partial<Omit<Order, 'id' | 'userId' | 'tradeNo' | 'provider'>>,
): Order {
  const names = Object.keys(fields) as (keyof typeof fields)[]
  run(
    `UPDATE orders SET ${names.map((name) => `${columns[name]} = ?`).join(', ')} WHERE id = ?`,
    ...names.map((name) => toValue(fields[name] ?? null)),
    order.id,
  )
  return { ...order, ...fields }
}

/** Changes the status of an order that still has one of some others; false when it has none of them. */
export const moveOrder = (
  { run }: Pick<Transaction, 'run'>,
  { tradeNo, provider }: Pick<Order, 'tradeNo' | 'provider'>,
  from: readonly OrderStatus[],
  to: OrderStatus,
): boolean =>
  run(
    `UPDATE orders SET status = ? WHERE trade_no = ? AND provider = ?
       AND status IN (SELECT value FROM json_each(?))`,
    to,
    tradeNo,
    provider,
    JSON.stringify(from),
  ) === 1

export function orderByTradeNo(read: Read, tradeNo: string): Order | undefined {
  return read(`${SELECT} WHERE trade_no = ?`, tradeNo).map(toOrder)[0]
}

/** The order of a payment or a checkout; one that is named '' is none. */
export function orderOfPayment(
  read: Read,
  { provider, paymentId, checkoutId }: Pick<Order, 'provider' | 'paymentId' | 'checkoutId'>,
): Order | undefined {
  return read(
    `${SELECT} WHERE provider = ?
       AND ((payment_id <> '' AND payment_id = ?) OR (checkout_id <> '' AND checkout_id = ?))`,
    provider,
    paymentId,
    checkoutId,
  ).map(toOrder)[0]
}

/** Orders of one user or of all whose number holds the keyword, newest first; pages from 1. */
export function listOrders(
  read: Read,
  { userId, keyword }: { userId: number | null; keyword: string },
  { page, pageSize }: { page: number; pageSize: number },
): { total: number; items: Order[] } {
  const ofUser = userId === null ? '' : 'user_id = ? AND'
  const where = `WHERE ${ofUser} trade_no LIKE ? ESCAPE '\\'`
  const values = [...(userId === null ? [] : [userId]), `%${keyword.replace(/[\\%_]/g, '\\$&')}%`]
  const [counted] = read(`SELECT count(*) AS total FROM orders ${where}`, ...values)
  const items = read(
    `${SELECT} ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
    ...values,
    pageSize,
    (page - 1) * pageSize,
  )
  return { total: Number(counted?.total ?? 0), items: items.map(toOrder) }
}
