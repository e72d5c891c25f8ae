import type { Transaction } from '../ledger/ledger.ts'
import type { PaymentProvider } from './orders.ts'

/** Notes that an event of a provider was received; false when it was before. */
export const addWebhookEvent = (
  { run }: Pick<Transaction, 'run'>,
  event: { provider: PaymentProvider; id: string; type: string; now: number },
): boolean =>
  run(
    `INSERT INTO webhook_events (provider, event_id, type, received_at, outcome)
     VALUES (?, ?, ?, ?, '') ON CONFLICT DO NOTHING`,
    event.provider,
    event.id,
    event.type,
    event.now,
  ) === 1

/** Notes what an event led to. */
export function setWebhookOutcome(
  { run }: Pick<Transaction, 'run'>,
  { provider, id }: { provider: PaymentProvider; id: string },
  outcome: string,
): void {
  run(
    'UPDATE webhook_events SET outcome = ? WHERE provider = ? AND event_id = ?',
    outcome,
    provider,
    id,
  )
}
