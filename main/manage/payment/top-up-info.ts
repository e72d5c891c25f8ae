import { z } from 'zod'
import type { Settings } from '../../store/state/settings.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { isCreemOn } from './creem/creem-pay.ts'
import { groupFactor, isStripeOn } from './stripe/stripe-pay.ts'

const payMethod = z.strictObject({
  name: z.string(),
  type: z.string(),
  color: z.string(),
  min_topup: z.int().optional(),
})

const STRIPE = { name: 'Stripe', type: 'stripe', color: '#635bff' }

/** The methods that are set and can be used here; Stripe also where nobody listed it. */
function payMethods(settings: Settings): z.infer<typeof payMethod>[] {
  if (!isStripeOn(settings)) return []
  const listed = settings.PayMethods.find(({ type }) => type === 'stripe')
  const { name, type, color = STRIPE.color } = listed ?? STRIPE
  return [{ name, type, color, min_topup: settings.StripeMinTopUp }]
}

const info = defineOperation({
  name: 'topup.info',
  summary: 'Says in which ways quota can be bought.',
  access: 'user',
  http: { method: 'GET', path: '/api/user/topup/info' },
  input: z.object({}),
  output: z.strictObject({
    enable_online_topup: z.boolean().describe('Payment methods that are not offered here.'),
    enable_stripe_topup: z.boolean(),
    enable_creem_topup: z.boolean(),
    creem_products: z
      .string()
      .describe('JSON: a list of {productId, name, price, currency, quota}; quota is in units.'),
    pay_methods: z.array(payMethod),
    min_topup: z.int(),
    stripe_min_topup: z.int(),
    stripe_credit_factor: z
      .number()
      .describe('Dollars that a dollar bought through Stripe credits, by the group.'),
    amount_options: z.array(z.int()),
    discount: z.record(z.string(), z.number()).describe('Amount to factor.'),
  }),
  run(_input, context) {
    const settings = context.parts.settings.current
    const hasCreem = isCreemOn(settings)
    return {
      enable_online_topup: false,
      enable_stripe_topup: isStripeOn(settings),
      enable_creem_topup: hasCreem,
      creem_products: JSON.stringify(hasCreem ? settings.CreemProducts : []),
      pay_methods: payMethods(settings),
      min_topup: settings.MinTopUp,
      stripe_min_topup: settings.StripeMinTopUp,
      stripe_credit_factor: groupFactor(settings, signedIn(context).group),
      amount_options: settings['payment_setting.amount_options'],
      discount: settings['payment_setting.amount_discount'],
    }
  },
})

export const topUpInfoOperations = [info] as const
