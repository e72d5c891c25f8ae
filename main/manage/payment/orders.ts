import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import { quotaText } from '../../base/quota-text.ts'
import type { Sentence } from '../../base/reason.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import { listOrders, type Order, orderByTradeNo } from '../../store/payment/orders.ts'
import { eventRow } from '../calls/event-row.ts'
import { hasAdministratorRole } from '../operation/has-administrator-role.ts'
import { filterText, type PagingInput, pagingFields } from '../operation/input-fields.ts'
import { checkMayActOn } from '../operation/may-act-on.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { type Page, pageOutput, readPaging } from '../operation/page.ts'
import { signedIn } from '../operation/signed-in.ts'
import { checkOrder } from './check-order.ts'
import { completeOrder } from './complete-order.ts'
import { addNote, type Source } from './order-log.ts'
import { type OrderRecord, orderRecord, toOrderRecord } from './order-record.ts'

const filterFields = {
  ...pagingFields,
  keyword: filterText.describe('Some of the trade number.'),
}

function pageOfOrders(
  input: PagingInput & { keyword: string },
  userId: number | null,
  context: OperationContext,
): Page<OrderRecord> {
  const { parts } = context
  const paging = readPaging(input)
  const { ledger } = parts
  const { keyword } = input
  const { total, items } = listOrders(ledger.read.bind(ledger), { userId, keyword }, paging)
  return {
    page: paging.page,
    page_size: paging.pageSize,
    total,
    items: items.map((order) => toOrderRecord(order, signedIn(context), parts)),
  }
}

const listSelf = defineOperation({
  name: 'topup.list-self',
  summary: 'Lists the orders of who is signed in, newest first.',
  access: 'user',
  http: { method: 'GET', path: '/api/user/topup/self' },
  input: z.object(filterFields),
  output: pageOutput(orderRecord),
  run: (input, context) => pageOfOrders(input, signedIn(context).id, context),
})

const list = defineOperation({
  name: 'topup.list',
  summary: 'Lists the orders of all users, newest first.',
  access: 'admin',
  http: { method: 'GET', path: '/api/user/topup' },
  input: z.object(filterFields),
  output: pageOutput(orderRecord),
  run: (input, context) => pageOfOrders(input, null, context),
})

const tradeNo = z.string().trim().min(1, fieldProblems.field_empty).max(100)

/** The order of a number; another user's is as unknown as one that does not exist, but for administrators. */
function existingOrder(read: Ledger['read'], number: string, context: OperationContext): Order {
  const user = signedIn(context)
  const order = orderByTradeNo(read, number)
  if (order && (order.userId === user.id || hasAdministratorRole(user))) return order
  throw new GatewayError('not_found', {
    message: `There is no order ${number}.`,
    field: 'trade_no',
    reason: { code: 'no_order', order: number },
  })
}

const sourceOf = (via: Source['via'], { requestId, ip }: OperationContext): Source => ({
  via,
  requestId,
  ip,
})

const complete = defineOperation({
  name: 'topup.complete',
  summary:
    'Completes a pending order by hand, as if its payment had been told of. An order that was completed already stays as it is. Only the owner completes those of administrators.',
  access: 'admin',
  http: { method: 'POST', path: '/api/user/topup/complete' },
  input: z.strictObject({ trade_no: tradeNo }),
  output: z.undefined(),
  run(input, context): undefined {
    const { parts, requestId, ip } = context
    const admin = signedIn(context)
    parts.ledger.transact((transaction) => {
      const order = existingOrder(transaction.all, input.trade_no, context)
      const buyer = parts.users.byId(order.userId)
      if (buyer) checkMayActOn(buyer, context)
      if (order.status === 'success') return
      if (order.status !== 'pending') {
        throw new GatewayError('conflict', {
          message: `The order ${order.tradeNo} is ${order.status}: only a pending one can be completed by hand.`,
          field: 'trade_no',
          reason: { code: 'order_not_pending', order: order.tradeNo },
        })
      }
      const noted = addNote(transaction, order, {
        message: `Completed by hand by ${admin.username}.`,
        reason: { code: 'order_completed_by', user: admin.username },
      })
      const payment = { paymentId: '', paidAmount: null }
      completeOrder(transaction, noted, payment, sourceOf('hand', context), parts)
      const { tradeNo, credit, userId } = order
      const amount = quotaText(credit)
      const content: Sentence = {
        message: `Completed the order ${tradeNo} by hand: ${amount} for the user ${userId}.`,
        reason: { code: 'audit_order_by_hand', order: tradeNo, amount, id: userId },
      }
      transaction.book(eventRow(3, admin, content, { requestId, ip }))
    })
  },
})

const check = defineOperation({
  name: 'topup.check',
  summary:
    'Asks the provider what became of an order, and completes it when it was paid: for a gateway that webhooks cannot reach.',
  access: 'user',
  http: { method: 'POST', path: '/api/user/topup/check' },
  limit: 'critical',
  input: z.strictObject({ trade_no: tradeNo }),
  output: orderRecord,
  async run(input, context) {
    const { parts } = context
    const { ledger } = parts
    const order = existingOrder(ledger.read.bind(ledger), input.trade_no, context)
    const checked = await checkOrder(order, sourceOf('check', context), parts)
    return toOrderRecord(checked, signedIn(context), parts)
  },
})

export const orderOperations = [listSelf, list, complete, check] as const
