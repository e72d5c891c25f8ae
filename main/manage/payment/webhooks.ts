import type { Webhook } from '../operation/operation.ts'
import { creemWebhook } from './creem/creem-webhook.ts'
import { stripeWebhook } from './stripe/stripe-webhook.ts'

/** Webhooks of the payment providers. */
export const webhooks: readonly Webhook[] = [stripeWebhook, creemWebhook]
