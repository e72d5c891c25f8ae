import { randomBytes } from 'node:crypto'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import {
  addOrder,
  changeOrder,
  moveOrder,
  type Order,
  type OrderNote,
} from '../../store/payment/orders.ts'
import type { User } from '../../store/records/users.ts'
import type { GatewayParts } from '../gateway-parts.ts'

type Purchase = Pick<
  Order,
  | 'provider'
  | 'amount'
  | 'money'
  | 'credit'
  | 'productId'
  | 'currency'
  | 'expectedAmount'
  | 'isLive'
>

/** Is it of the form of our own? A provider's account may sell for others too. */
export const isTradeNo = (text: string): boolean => /^ref_[0-9a-f]{40}$/.test(text)

/** Keeps an order before its provider hears of it, so that no payment can come for one that is unknown. */
export const keepOrder = (user: User, purchase: Purchase, { ledger }: GatewayParts): Order =>
  ledger.transact((transaction) =>
    addOrder(transaction, {
      ...purchase,
      userId: user.id,
      tradeNo: `ref_${randomBytes(20).toString('hex')}`,
      paidAmount: null,
      checkoutId: '',
      checkoutUrl: '',
      paymentId: '',
      status: 'pending',
      clawedBack: 0,
      notes: [],
      createTime: unixSeconds(),
      completeTime: 0,
    }),
  )

type Checkout = Pick<Order, 'checkoutId' | 'checkoutUrl'> &
  Partial<Pick<Order, 'currency' | 'expectedAmount'>>

/**
 * Has the provider make the checkout of an order, keeps what it says of it, and gives its address. When it makes
 * none, the order has failed, with the reason as its note.
 */
export async function openCheckout(
  order: Order,
  make: () => Promise<Checkout>,
  { ledger }: GatewayParts,
): Promise<string> {
  try {
    const checkout = await make()
    ledger.transact((transaction) => changeOrder(transaction, order, checkout))
    return checkout.checkoutUrl
  } catch (error) {
    const note: OrderNote =
      error instanceof GatewayError
        ? { message: error.message, reason: error.reason }
        : { message: 'The checkout could not be made.', reason: { code: 'checkout_not_made' } }
    ledger.transact((transaction) => {
      if (!moveOrder(transaction, order, ['pending'], 'failed')) return
      changeOrder(transaction, order, { notes: [note] })
    })
    throw error
  }
}
