import type { Webhook } from '../operation.ts'
import { creemWebhook } from './creem-webhook.ts'
import { stripeWebhook } from './stripe-webhook.ts'

/** What the payment providers call by themselves. */
export const webhooks: readonly Webhook[] = [stripeWebhook, creemWebhook]
