import { z } from 'zod'
import { unixSeconds } from '../../../base/clock.ts'
import type { Transaction } from '../../../store/ledger/ledger.ts'
import { orderByTradeNo } from '../../../store/payment/orders.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import type { Delivery, Webhook } from '../../operation/operation.ts'
import { reverse } from '../claw-back.ts'
import type { Source } from '../order-log.ts'
import { takeEvent } from '../take-event.ts'
import { loadStripe } from './stripe-client.ts'
import { stripeReversals } from './stripe-reversal.ts'
import { applySession, keepCustomer, type SessionChange, stripeSession } from './stripe-session.ts'

/** Seconds that a signature's time may be away from now, https://docs.stripe.com/webhooks#replay-attacks */
const TOLERANCE = 300

/** Fields of every event: https://docs.stripe.com/api/events/object */
const stripeEvent = z.looseObject({
  id: z.string().min(1).max(255),
  object: z.literal('event'),
  type: z.string(),
  livemode: z.boolean(),
  data: z.looseObject({ object: z.looseObject({}) }),
})

type StripeEvent = z.output<typeof stripeEvent>

const sessionChanges: Readonly<Record<string, SessionChange>> = {
  'checkout.session.completed': 'completed',
  'checkout.session.async_payment_succeeded': 'completed',
  'checkout.session.async_payment_failed': 'failed',
  'checkout.session.expired': 'expired',
}

/**
 * Is the signature's time given once, as whole seconds, and close to now? The library lets times from the
 * future and times that are no number (`t=NaN`) pass, and takes the last of several.
 */
function isTimely(header: string): boolean {
  const times = header.split(',').filter((item) => item.split('=')[0] === 't')
  const seconds = /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1]
  return times.length === 1 && Math.abs(Number(seconds) - unixSeconds()) <= TOLERANCE
}

/** The event in a delivery that Stripe signed; null when it did not, or when it is no event. */
async function verifiedEvent({ body, headers, secret }: Delivery): Promise<StripeEvent | null> {
  const header = headers['stripe-signature']
  if (typeof header !== 'string' || !isTimely(header)) return null
  const { webhooks } = await loadStripe()
  try {
    const event: unknown = webhooks.constructEvent(body, header, secret, TOLERANCE)
    return stripeEvent.safeParse(event).data ?? null
  } catch {
    return null
  }
}

type Effect = (transaction: Transaction, source: Source) => string

/** The action for an event, and the one after it; null for events that don't concern us. */
function effectOf(
  { type, livemode, data }: StripeEvent,
  parts: GatewayParts,
): { run: Effect; after?: () => void } | 'malformed' | null {
  const change = sessionChanges[type]
  if (change !== undefined) {
    const { data: session } = stripeSession.safeParse(data.object)
    if (!session) return 'malformed'
    return {
      run: (transaction, source) =>
        applySession(transaction, { session, isLive: livemode, change }, source, parts),
      after() {
        const { ledger } = parts
        const tradeNo = session.client_reference_id ?? ''
        keepCustomer(session, orderByTradeNo(ledger.read.bind(ledger), tradeNo), parts)
      },
    }
  }
  const read = stripeReversals[type]
  if (!read) return null
  const reversal = read(data.object)
  if (reversal === 'malformed' || reversal === null) return reversal
  return { run: (transaction, source) => reverse(transaction, reversal, source, parts) }
}

/** Called by Stripe about checkouts, refunds and disputes (management-api §11.4). */
export const stripeWebhook: Webhook = {
  kind: 'webhook',
  name: 'stripe.webhook',
  summary: 'Takes the events of Stripe, signed with StripeWebhookSecret.',
  http: { method: 'POST', path: '/api/stripe/webhook' },
  secretOption: 'StripeWebhookSecret',
  unreadable: 503,
  async receive(delivery, parts) {
    const event = await verifiedEvent(delivery)
    if (!event) return 400
    const effect = effectOf(event, parts)
    if (effect === 'malformed') return 400
    if (effect === null) return 200
    takeEvent({ provider: 'stripe', id: event.id, type: event.type }, effect.run, parts)
    effect.after?.()
    return 200
  },
}
