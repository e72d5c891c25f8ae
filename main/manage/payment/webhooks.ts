import type { Webhook } from '../operation/operation.ts'
import { creemWebhook } from './creem/creem-webhook.ts'
import { stripeWebhook } from './stripe/stripe-webhook.ts'

/** What the payment providers call by themselves. */
export const webhooks: readonly Webhook[] = [stripeWebhook, creemWebhook]
