import { unixSeconds } from '../../base/clock.ts'
import type { Transaction } from '../../store/ledger/ledger.ts'
import type { PaymentProvider } from '../../store/payment/orders.ts'
import { addWebhookEvent, setWebhookOutcome } from '../../store/payment/webhook-events.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import type { Source } from './order-log.ts'

/**
 * Runs what an event of a provider's does, once for all its deliveries: that it was received and what it did
 * are one transaction. `effect` gives what came of it, for people who look into the file; what it throws undoes
 * all of it, so that the event counts when it is sent again.
 */
export function takeEvent(
  event: { provider: PaymentProvider; id: string; type: string },
  effect: (transaction: Transaction, source: Source) => string,
  { ledger }: GatewayParts,
): void {
  const source: Source = { via: 'webhook', event: event.id, requestId: '', ip: '' }
  ledger.transact((transaction) => {
    if (!addWebhookEvent(transaction, { ...event, now: unixSeconds() })) return
    setWebhookOutcome(transaction, event, effect(transaction, source))
  })
}
