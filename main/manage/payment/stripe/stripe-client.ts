import type Stripe from 'stripe'
import { GatewayError } from '../../../base/errors.ts'
import { trustingAgent } from '../../../upstream/tls/trust.ts'
import type { GatewayParts } from '../../gateway-parts.ts'

const TIME_LIMIT = 20_000

/** Is the key one for real money? Test keys say so: https://docs.stripe.com/keys */
export const isLiveKey = (secret: string): boolean => !/^(?:sk|rk)_test_/.test(secret)

/** Stripe's library takes a while to load, and most gateways never sell anything. */
export const loadStripe = async (): Promise<typeof Stripe> => (await import('stripe')).default

function secured() {
  const httpAgent = trustingAgent()
  return httpAgent ? { httpAgent } : {}
}

function placeOf(url: string | undefined) {
  if (url === undefined) return secured()
  const { hostname, port, protocol } = new URL(url)
  const isPlain = protocol === 'http:'
  return {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? ('http' as const) : ('https' as const),
    ...(isPlain ? {} : secured()),
  }
}

const withoutSecret = (text: string, secret: string): string => text.replaceAll(secret, '***')

/** Stripe's own sentence, as `upstream_error`; no message ever holds the key. */
function asGatewayError(error: unknown, secret: string, Library: typeof Stripe): GatewayError {
  if (error instanceof Library.errors.StripeConnectionError) {
    return new GatewayError('upstream_unreachable', {
      message: 'Stripe cannot be reached. Try again in a moment.',
      cause: error,
      reason: { code: 'payment_unreachable', provider: 'Stripe' },
    })
  }
  const quote =
    error instanceof Error ? `: "${withoutSecret(error.message, secret)}"` : ' and gave no reason'
  return new GatewayError('upstream_error', {
    message: `Stripe refused the request${quote}.`,
    cause: error,
    reason: {
      code: 'payment_refused',
      provider: 'Stripe',
      said: error instanceof Error ? withoutSecret(error.message, secret) : '…',
    },
  })
}

/** Is this Stripe's way of saying that it does not know the customer (of the other mode, or deleted)? */
export function isUnknownCustomer({ cause }: GatewayError): boolean {
  const { code, param } = (cause ?? {}) as { code?: unknown; param?: unknown }
  return code === 'resource_missing' && param === 'customer'
}

/**
 * Asks Stripe something with the configured key, in the version of the API that the library is made for. The
 * library repeats what did not get through, under the same idempotency key.
 */
export async function askStripe<Answer>(
  { settings, payments }: GatewayParts,
  ask: (stripe: Stripe) => Promise<Answer>,
): Promise<Answer> {
  const secret = settings.current.StripeApiSecret
  if (secret === '') throw stripeIsOff()
  const Library = await loadStripe()
  const stripe = new Library(secret, {
    timeout: TIME_LIMIT,
    maxNetworkRetries: 1,
    telemetry: false,
    ...placeOf(payments.stripeUrl),
  })
  try {
    return await ask(stripe)
  } catch (error) {
    throw asGatewayError(error, secret, Library)
  }
}

export const stripeIsOff = (): GatewayError =>
  new GatewayError('forbidden', {
    message:
      'Payments with Stripe are not set up. The owner sets StripeApiSecret and StripePriceId in Settings.',
    reason: { code: 'stripe_off' },
  })
