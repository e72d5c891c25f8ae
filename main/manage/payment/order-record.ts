import { z } from 'zod'
import type { Order } from '../../store/payment/orders.ts'
import type { User } from '../../store/records/users.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { hasAdministratorRole } from '../operation/has-administrator-role.ts'
import { reasonOutput } from '../operation/sentence.ts'
import { fromMinorUnits } from './minor-units.ts'
import { noteText } from './order-log.ts'

const provider = z.literal(['stripe', 'creem'])

/** An order as lists show it (management-api §11.2). */
export const orderRecord = z
  .strictObject({
    id: z.int(),
    user_id: z.int(),
    username: z.string(),
    amount: z.int().describe('Stripe: dollars asked for. Creem: units.'),
    money: z.number().describe('Stripe: dollars that are credited. Creem: the price.'),
    trade_no: z.string(),
    payment_method: provider,
    payment_provider: provider,
    currency: z.string().describe('Lower case; empty until the provider has told it.'),
    price: z
      .number()
      .nullable()
      .describe('Price at the provider, in `currency`; null until the provider has told it.'),
    credit: z.int().describe('Units that a payment credits.'),
    create_time: z.int(),
    complete_time: z.int().describe('0 = not paid.'),
    has_checkout: z
      .boolean()
      .describe('Whether the provider made a checkout, and so can be asked about it.'),
    checkout_url: z
      .string()
      .describe('Where you pay; empty for orders of others, and unless the status is `pending`.'),
    status: z.literal(['pending', 'success', 'expired', 'failed', 'refunded', 'disputed']),
    clawed_back: z.int().describe('Units taken back after a refund or a dispute.'),
    note: z.string().describe('What an administrator should know; empty for others.'),
    notes: z
      .array(z.strictObject({ message: z.string(), reason: reasonOutput.optional() }))
      .describe('The sentences of the note, with what they say by code.'),
  })
  .meta({ id: 'Order' })

export type OrderRecord = z.infer<typeof orderRecord>

const priceOf = ({ provider, currency, expectedAmount }: Order): number | null =>
  expectedAmount === null ? null : fromMinorUnits(expectedAmount, currency, provider)

/** The record as its reader may see it. */
export const toOrderRecord = (
  order: Order,
  reader: Pick<User, 'id' | 'role'>,
  { users }: GatewayParts,
): OrderRecord => ({
  id: order.id,
  user_id: order.userId,
  username: users.byId(order.userId)?.username ?? '',
  amount: order.amount,
  money: order.money,
  trade_no: order.tradeNo,
  payment_method: order.provider,
  payment_provider: order.provider,
  currency: order.currency,
  price: priceOf(order),
  credit: order.credit,
  create_time: order.createTime,
  complete_time: order.completeTime,
  has_checkout: order.checkoutId !== '',
  checkout_url: order.status === 'pending' && order.userId === reader.id ? order.checkoutUrl : '',
  status: order.status,
  clawed_back: order.clawedBack,
  ...(hasAdministratorRole(reader)
    ? { note: noteText(order), notes: [...order.notes] }
    : { note: '', notes: [] }),
})
