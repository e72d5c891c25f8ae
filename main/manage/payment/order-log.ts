import type { Sentence } from '../../base/reason.ts'
import type { Transaction } from '../../store/ledger/ledger.ts'
import { changeOrder, type Order, type OrderNote } from '../../store/payment/orders.ts'
import { eventRow } from '../calls/event-row.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { notifyOwner } from '../notices/notify.ts'
import { findOwner } from '../operation/owner.ts'

/** Characters of all notes of an order. */
const LONGEST_NOTES = 1000

/** Source of a payment: an event of the provider, its answer to a question, or an administrator. */
export interface Source {
  via: 'webhook' | 'check' | 'hand'
  /** The event's id. */
  event?: string
  requestId: string
  ip: string
}

/** User of the order; a deleted user still appears in the log. */
const buyerOf = ({ userId }: Order, { users }: GatewayParts) =>
  users.byId(userId) ?? { id: userId, username: '', group: '' }

const othersOf = (order: Order, { via, event }: Source): Record<string, unknown> => ({
  trade_no: order.tradeNo,
  payment_provider: order.provider,
  via,
  ...(event === undefined ? {} : { event_id: event }),
})

/** Books the units that an order credits (type 1) or that are taken back (type 6, negative). */
export function bookCredit(
  { book }: Pick<Transaction, 'book'>,
  order: Order,
  { type, quota, content }: { type: 1 | 6; quota: number; content: Sentence },
  source: Source,
  parts: GatewayParts,
): void {
  const { requestId, ip } = source
  const other = othersOf(order, source)
  book(eventRow(type, buyerOf(order, parts), content, { requestId, ip, quota, other }))
}

/** An order's notes in English, as one text. */
export const noteText = ({ notes }: Pick<Order, 'notes'>): string =>
  notes.map(({ message }) => message).join(' ')

/** Adds a sentence to what an administrator should know of an order, once, and while there is room. */
export function addNote(
  transaction: Pick<Transaction, 'run'>,
  order: Order,
  note: OrderNote,
): Order {
  const { length } = noteText(order)
  const isThere = order.notes.some(({ message }) => message === note.message)
  if (isThere || length + note.message.length > LONGEST_NOTES) return order
  return changeOrder(transaction, order, { notes: [...order.notes, note] })
}

/** Tells the owner that something about a payment is not right: in the log, and as the order's note. */
export function warnOwner(
  transaction: Pick<Transaction, 'run' | 'book'>,
  order: Order,
  sentence: Sentence,
  source: Source,
  parts: GatewayParts,
): Order {
  const { message: problem, reason: why } = sentence
  const owner = findOwner(parts.users) ?? buyerOf(order, parts)
  const content: Sentence = {
    message: `Order ${order.tradeNo}: ${problem}`,
    reason: { code: 'audit_order_problem', order: order.tradeNo, why },
  }
  const { requestId, ip } = source
  transaction.book(eventRow(4, owner, content, { requestId, ip, other: othersOf(order, source) }))
  parts.log.warn({ order: order.tradeNo, provider: order.provider, problem }, 'payment problem')
  notifyOwner(
    { type: 'payment_problem', title: 'A payment needs a look', content: content.message },
    parts,
  )
  return addNote(transaction, order, sentence)
}
