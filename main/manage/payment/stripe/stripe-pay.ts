import type Stripe from 'stripe'
import { z } from 'zod'
import { GatewayError } from '../../../base/errors.ts'
import { ownValue } from '../../../base/own-value.ts'
import { UNITS_PER_USD } from '../../../base/quota.ts'
import type { User } from '../../../store/records/users.ts'
import type { Settings } from '../../../store/state/settings.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { integer } from '../../operation/input-fields.ts'
import {
  defineOperation,
  FailedReply,
  type OperationContext,
  Reply,
} from '../../operation/operation.ts'
import { signedIn } from '../../operation/signed-in.ts'
import { withMessageAsData } from '../message-as-data.ts'
import { keepOrder, openCheckout } from '../new-order.ts'
import { redirectUrl } from '../redirect-url.ts'
import { askStripe, isLiveKey, isUnknownCustomer, stripeIsOff } from './stripe-client.ts'

/** The buyer's group's factor; none and 0 count as 1, so that nobody pays for nothing. */
export const groupFactor = ({ TopupGroupRatio }: Settings, group: string): number =>
  ownValue(TopupGroupRatio, group) || 1

/** Cost of an amount of dollars in the currency of Stripe's price: `16.00`. */
function shownPrice(amount: number, group: string, settings: Settings): string {
  const discount = ownValue(settings['payment_setting.amount_discount'], String(amount)) ?? 1
  const price = amount * settings.StripeUnitPrice * groupFactor(settings, group) * discount
  return price.toFixed(2)
}

/** Credit for a payment in dollars: dollars after the group's factor, and as units. */
function creditOf(
  amount: number,
  group: string,
  settings: Settings,
): { money: number; credit: number } {
  const money = amount * groupFactor(settings, group)
  return { money, credit: Math.round(money * UNITS_PER_USD) }
}

const LARGEST_AMOUNT = 10_000

/** Is enough set to sell through Stripe? */
export const isStripeOn = ({ StripeApiSecret, StripePriceId }: Settings): boolean =>
  StripeApiSecret !== '' && StripePriceId !== ''

/** The problem with an amount, or null. */
function amountProblem(amount: number, { StripeMinTopUp }: Settings): GatewayError | null {
  const message =
    amount < StripeMinTopUp
      ? `The amount must be at least ${StripeMinTopUp}.`
      : amount > LARGEST_AMOUNT
        ? `The amount can be at most ${LARGEST_AMOUNT}.`
        : null
  return message === null
    ? null
    : new GatewayError('invalid_params', {
        message,
        field: 'amount',
        reason:
          amount < StripeMinTopUp
            ? { code: 'field_too_small', least: StripeMinTopUp }
            : { code: 'field_too_large', most: LARGEST_AMOUNT },
      })
}

const amountField = integer.describe('Whole dollars of quota.')

const amount = defineOperation({
  name: 'stripe.amount',
  summary: 'Says what an amount of quota costs, in the currency of the price at Stripe.',
  access: 'user',
  http: { method: 'POST', path: '/api/user/stripe/amount' },
  input: z.strictObject({ amount: amountField, payment_method: z.literal('stripe').optional() }),
  output: z.string().describe('With two decimals, such as 16.00.'),
  failureData: z.string().describe('The message once more.'),
  run(input, context) {
    const settings = context.parts.settings.current
    const problem = amountProblem(input.amount, settings)
    if (problem) throw new FailedReply(problem, { data: problem.message })
    const price = shownPrice(input.amount, signedIn(context).group, settings)
    return new Reply(price, { message: 'success' })
  },
})

interface CheckoutInput {
  amount: number
  successUrl: string
  cancelUrl: string
  tradeNo: string
}

/** The session to create: https://docs.stripe.com/api/checkout/sessions/create */
const checkoutParams = (
  user: User,
  customer: string,
  { amount: quantity, successUrl, cancelUrl, tradeNo }: CheckoutInput,
  settings: Settings,
): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  client_reference_id: tradeNo,
  line_items: [{ price: settings.StripePriceId, quantity }],
  success_url: successUrl,
  cancel_url: cancelUrl,
  allow_promotion_codes: settings.StripePromotionCodesEnabled,
  ...(customer === ''
    ? {
        customer_creation: 'always' as const,
        ...(user.email === '' ? {} : { customer_email: user.email }),
      }
    : { customer }),
})

async function createSession(
  user: User,
  checkout: CheckoutInput,
  parts: GatewayParts,
): Promise<Stripe.Checkout.Session> {
  const create = (customer: string) =>
    askStripe(parts, (stripe) =>
      stripe.checkout.sessions.create(
        checkoutParams(user, customer, checkout, parts.settings.current),
        { idempotencyKey: `${checkout.tradeNo}${customer === '' ? '' : '-known'}` },
      ),
    )
  try {
    return await create(user.stripeCustomer)
  } catch (error) {
    if (!(error instanceof GatewayError && isUnknownCustomer(error))) throw error
    // The customer is of the other mode or was deleted at Stripe: the payment creates a new one.
    parts.users.update(user.id, { stripeCustomer: '' })
    return create('')
  }
}

const payInput = z.strictObject({
  amount: amountField,
  payment_method: z.literal('stripe', 'must be "stripe"').optional(),
  success_url: z.string().max(2000).optional().describe('A page of this gateway.'),
  cancel_url: z.string().max(2000).optional().describe('A page of this gateway.'),
})

async function makeOrder(
  input: z.output<typeof payInput>,
  context: OperationContext,
): Promise<Reply<{ pay_link: string }>> {
  const { parts } = context
  const user = signedIn(context)
  const settings = parts.settings.current
  if (!isStripeOn(settings)) throw stripeIsOff()
  const problem = amountProblem(input.amount, settings)
  if (problem) throw new FailedReply(problem, { data: 10 })
  const successUrl = redirectUrl('success_url', input.success_url, parts)
  const cancelUrl = redirectUrl('cancel_url', input.cancel_url, parts)
  const order = keepOrder(
    user,
    {
      provider: 'stripe',
      amount: input.amount,
      ...creditOf(input.amount, user.group, settings),
      productId: '',
      currency: '',
      expectedAmount: null,
      isLive: isLiveKey(settings.StripeApiSecret),
    },
    parts,
  )
  const checkout = { amount: input.amount, successUrl, cancelUrl, tradeNo: order.tradeNo }
  const link = await openCheckout(
    order,
    async () => {
      const session = await createSession(user, checkout, parts)
      const { id, url, currency, amount_subtotal: subtotal } = session
      if (!url || !currency || subtotal === null) {
        const message = 'Stripe made a checkout without a link or a price. Check StripePriceId.'
        throw new GatewayError('upstream_error', {
          message,
          reason: { code: 'stripe_checkout_incomplete' },
        })
      }
      const price = { currency: currency.toLowerCase(), expectedAmount: subtotal }
      return { checkoutId: id, checkoutUrl: url, ...price }
    },
    parts,
  )
  return new Reply({ pay_link: link }, { message: 'success' })
}

const pay = defineOperation({
  name: 'stripe.pay',
  summary: 'Makes an order of quota and gives the link to its checkout at Stripe.',
  access: 'user',
  http: { method: 'POST', path: '/api/user/stripe/pay' },
  limit: 'critical',
  input: payInput,
  output: z.strictObject({ pay_link: z.string() }),
  failureData: z
    .union([z.literal(10), z.string()])
    .describe('10 for a wrong amount, nothing for a wrong address, else the message once more.'),
  run: (input, context) => withMessageAsData(() => makeOrder(input, context)),
})

export const stripePayOperations = [amount, pay] as const
