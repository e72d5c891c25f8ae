import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { Transaction } from '../../store/ledger.ts'
import { type Order, orderByTradeNo } from '../../store/orders.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { reverse } from './claw-back.ts'
import { applyCheckout, creemCheckout, keepEmail } from './creem-checkout.ts'
import { askCreem } from './creem-client.ts'
import type { Source } from './order-log.ts'
import { askStripe } from './stripe-client.ts'
import { refundedCharge } from './stripe-reversal.ts'
import { applySession, keepCustomer, stripeSession } from './stripe-session.ts'

const misread = (provider: string): GatewayError =>
  new GatewayError('upstream_invalid', {
    message: `${provider} answered with something else than the checkout that was asked for.`,
  })

/** What is read of a session beside itself: its payment's charge, which knows what was refunded. */
const withCharge = z.looseObject({
  livemode: z.boolean(),
  payment_intent: z
    .looseObject({ latest_charge: z.looseObject({}).nullish() })
    .nullish()
    .catch(null),
})

type Effect = (transaction: Transaction) => void

async function askAboutSession(
  { checkoutId }: Order,
  source: Source,
  parts: GatewayParts,
): Promise<{ run: Effect; after(order: Order): void }> {
  const answer: unknown = await askStripe(parts, (stripe) =>
    stripe.checkout.sessions.retrieve(checkoutId, { expand: ['payment_intent.latest_charge'] }),
  )
  const { data: session } = stripeSession.safeParse(answer)
  const { data: more } = withCharge.safeParse(answer)
  if (!session || !more) throw misread('Stripe')
  const change =
    session.status === 'complete' ? 'completed' : session.status === 'expired' ? 'expired' : null
  const charge = more.payment_intent?.latest_charge
  const refunded = charge ? refundedCharge(charge) : null
  return {
    run(transaction) {
      if (change === null) return
      applySession(transaction, { session, isLive: more.livemode, change }, source, parts)
      if (refunded === null || refunded === 'malformed') return
      reverse(transaction, refunded, source, parts)
    },
    after: (order) => keepCustomer(session, order, parts),
  }
}

async function askAboutCheckout(
  { checkoutId }: Order,
  source: Source,
  parts: GatewayParts,
): Promise<{ run: Effect; after(order: Order): void }> {
  const path = `/v1/checkouts?checkout_id=${encodeURIComponent(checkoutId)}`
  const answer = await askCreem({ method: 'GET', path }, parts)
  const { data: checkout } = creemCheckout.safeParse(answer)
  if (!checkout) throw misread('Creem')
  return {
    run: (transaction) => void applyCheckout(transaction, checkout, source, parts),
    after: (order) => keepEmail(checkout, order, parts),
  }
}

/**
 * Asks the provider what became of an order's checkout, and does the same as its event would do: for a
 * gateway that webhooks cannot reach. Gives the order as it is then.
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
