import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { Transaction } from '../../store/ledger/ledger.ts'
import { type Order, orderByTradeNo } from '../../store/payment/orders.ts'
import type { Reversal } from '../../store/payment/payment-reversals.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { reverse } from './claw-back.ts'
import {
  applyCheckout,
  type CreemCheckout,
  creemCheckout,
  keepEmail,
} from './creem/creem-checkout.ts'
import { askCreem } from './creem/creem-client.ts'
import { reversalsOfTransaction } from './creem/creem-reversal.ts'
import type { Source } from './order-log.ts'
import { askStripe } from './stripe/stripe-client.ts'
import { currentDispute, currentRefund, refundedCharge } from './stripe/stripe-reversal.ts'
import {
  applySession,
  keepCustomer,
  type StripeSession,
  stripeSession,
} from './stripe/stripe-session.ts'

const misread = (provider: string): GatewayError =>
  new GatewayError('upstream_invalid', {
    message: `${provider} answered, but its answer is not a checkout. Try again in a moment, or look at the order in ${provider}'s dashboard.`,
    reason: { code: 'payment_no_checkout', provider },
  })

/** The session with its payment's charge, which holds refunds and disputes. */
const withCharge = z.looseObject({
  livemode: z.boolean(),
  payment_intent: z
    .looseObject({ latest_charge: z.looseObject({ disputed: z.boolean().nullish() }).nullish() })
    .nullish()
    .catch(null),
})

type Effect = (transaction: Transaction) => void

type Reading = ReturnType<typeof currentDispute>

const isReversal = (reading: Reading): reading is Reversal =>
  reading !== null && reading !== 'malformed'

/**
 * Further facts about a payment, asked of the provider. A key that may not ask for it, or a provider that does not
 * answer now, must not keep what was paid from being credited.
 */
async function furtherReversals(
  ask: () => Promise<Reading[]>,
  { tradeNo }: Order,
  { log }: GatewayParts,
): Promise<Reversal[]> {
  try {
    return (await ask()).filter(isReversal)
  } catch (error) {
    log.warn({ err: error, order: tradeNo }, 'refunds and disputes of a payment could not be read')
    return []
  }
}

/** A charge says only that it is disputed: https://docs.stripe.com/api/disputes/list */
const disputesOf = async ({ payment_intent }: StripeSession, parts: GatewayParts) => {
  const asked = { payment_intent, limit: 100 }
  return (await askStripe(parts, ({ disputes }) => disputes.list(asked))).data.map(currentDispute)
}

/** A charge tells only the sum of its refunds: https://docs.stripe.com/api/refunds/list */
const refundsOf = async ({ payment_intent }: StripeSession, parts: GatewayParts) => {
  const asked = { payment_intent, limit: 100 }
  return (await askStripe(parts, ({ refunds }) => refunds.list(asked))).data.map(currentRefund)
}

/** https://docs.creem.io/api-reference/endpoint/get-transaction */
const lossesOf = async ({ order }: CreemCheckout, parts: GatewayParts): Promise<Reversal[]> => {
  if (typeof order !== 'object' || !order?.transaction) return []
  const path = `/v1/transactions?transaction_id=${encodeURIComponent(order.transaction)}`
  return reversalsOfTransaction(await askCreem({ method: 'GET', path }, parts), order.id)
}

async function askAboutSession(
  asked: Order,
  source: Source,
  parts: GatewayParts,
): Promise<{ run: Effect; after(order: Order): void }> {
  const answer: unknown = await askStripe(parts, (stripe) =>
    stripe.checkout.sessions.retrieve(asked.checkoutId, {
      expand: ['payment_intent.latest_charge'],
    }),
  )
  const { data: session } = stripeSession.safeParse(answer)
  const { data: more } = withCharge.safeParse(answer)
  if (!session || !more) throw misread('Stripe')
  const change =
    session.status === 'complete' ? 'completed' : session.status === 'expired' ? 'expired' : null
  const charge = more.payment_intent?.latest_charge
  const refunded = charge ? refundedCharge(charge) : null
  const disputes =
    charge?.disputed === true
      ? await furtherReversals(() => disputesOf(session, parts), asked, parts)
      : []
  // One that was taken back for may have failed since.
  const refunds =
    asked.clawedBack > 0
      ? await furtherReversals(() => refundsOf(session, parts), asked, parts)
      : []
  const reversals = [refunded, ...refunds, ...disputes].filter(isReversal)
  return {
    run(transaction) {
      if (change === null) return
      applySession(transaction, { session, isLive: more.livemode, change }, source, parts)
      for (const reversal of reversals) reverse(transaction, reversal, source, parts)
    },
    after: (order) => keepCustomer(session, order, parts),
  }
}

async function askAboutCheckout(
  asked: Order,
  source: Source,
  parts: GatewayParts,
): Promise<{ run: Effect; after(order: Order): void }> {
  const path = `/v1/checkouts?checkout_id=${encodeURIComponent(asked.checkoutId)}`
  const answer = await askCreem({ method: 'GET', path }, parts)
  const { data: checkout } = creemCheckout.safeParse(answer)
  if (!checkout) throw misread('Creem')
  const reversals = await furtherReversals(() => lossesOf(checkout, parts), asked, parts)
  return {
    run(transaction) {
      applyCheckout(transaction, checkout, source, parts)
      for (const reversal of reversals) reverse(transaction, reversal, source, parts)
    },
    after: (order) => keepEmail(checkout, order, parts),
  }
}

/**
 * Asks the provider what became of an order's checkout, its refunds and its disputes, and does the same as
 * the events would do: for a gateway that webhooks cannot reach. Gives the order as it is then. Not to be
 * learned this way: how much of a payment a dispute at Creem is about (it counts for the whole).
 */
export async function checkOrder(
  order: Order,
  source: Source,
  parts: GatewayParts,
): Promise<Order> {
  const { tradeNo, provider, checkoutId } = order
  if (checkoutId === '') {
    throw new GatewayError('conflict', {
      message: `The order ${tradeNo} has no checkout at its provider, so there is nothing to ask for. Start a new payment.`,
      reason: { code: 'order_without_checkout', order: tradeNo },
    })
  }
  const ask = provider === 'stripe' ? askAboutSession : askAboutCheckout
  const { run, after } = await ask(order, source, parts)
  const { ledger } = parts
  ledger.transact(run)
  const checked = orderByTradeNo(ledger.read.bind(ledger), tradeNo) ?? order
  after(checked)
  return checked
}
