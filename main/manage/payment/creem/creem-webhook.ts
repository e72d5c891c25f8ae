import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { ownValue } from '../../../base/own-value.ts'
import { orderByTradeNo } from '../../../store/payment/orders.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import type { Webhook } from '../../operation/operation.ts'
import { reverse } from '../claw-back.ts'
import { takeEvent } from '../take-event.ts'
import { applyCheckout, creemCheckout, keepEmail } from './creem-checkout.ts'
import { creemReversals } from './creem-reversal.ts'

/** https://docs.creem.io/code/webhooks */
const creemEvent = z.looseObject({
  id: z.string().min(1).max(255),
  eventType: z.string(),
  object: z.looseObject({}),
})

type CreemEvent = z.output<typeof creemEvent>

/** Is the header the HMAC-SHA256 of the very bytes that came, in hex? */
function isSigned(body: Buffer, header: string | string[] | undefined, secret: string): boolean {
  if (typeof header !== 'string' || !/^[0-9a-f]{64}$/i.test(header)) return false
  const expected = createHmac('sha256', secret).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(header, 'hex'))
}

function parseEvent(body: Buffer): CreemEvent | null {
  try {
    return creemEvent.safeParse(JSON.parse(body.toString('utf8'))).data ?? null
  } catch {
    return null
  }
}

/** Thrown so that the event is taken for not received, and counts when it is sent again. */
class RefusedEvent extends Error {}

function take(event: CreemEvent, parts: GatewayParts): void {
  const { id, eventType: type, object } = event
  if (type === 'checkout.completed') {
    const { data: checkout } = creemCheckout.safeParse(object)
    if (!checkout) throw new RefusedEvent()
    takeEvent(
      { provider: 'creem', id, type },
      (transaction, source) => {
        const outcome = applyCheckout(transaction, checkout, source, parts)
        if (outcome.kind !== 'done') throw new RefusedEvent(outcome.kind)
        return outcome.text
      },
      parts,
    )
    const { ledger } = parts
    const order = orderByTradeNo(ledger.read.bind(ledger), checkout.request_id ?? '')
    keepEmail(checkout, order, parts)
    return
  }
  const reversal = ownValue(creemReversals, type)?.(object) ?? null
  if (reversal === 'malformed') throw new RefusedEvent()
  if (reversal === null) return
  takeEvent(
    { provider: 'creem', id, type },
    (transaction, source) => reverse(transaction, reversal, source, parts),
    parts,
  )
}

/** Called by Creem after a payment, refund or dispute (management-api §11.5). */
export const creemWebhook: Webhook = {
  kind: 'webhook',
  name: 'creem.webhook',
  summary: 'Takes the events of Creem, signed with CreemWebhookSecret.',
  http: { method: 'POST', path: '/api/creem/webhook' },
  secretOption: 'CreemWebhookSecret',
  unreadable: 400,
  async receive({ body, headers, secret }, parts) {
    if (!isSigned(body, headers['creem-signature'], secret)) return 401
    const event = parseEvent(body)
    if (!event) return 400
    try {
      take(event, parts)
    } catch (error) {
      if (error instanceof RefusedEvent) return 400
      throw error
    }
    return 200
  },
}
