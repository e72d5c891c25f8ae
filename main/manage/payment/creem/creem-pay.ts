import { z } from 'zod'
import { GatewayError } from '../../../base/errors.ts'
import { fieldProblems } from '../../../base/field-problems.ts'
import type { Order } from '../../../store/payment/orders.ts'
import type { User } from '../../../store/records/users.ts'
import type { Settings } from '../../../store/state/settings.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { defineOperation, type OperationContext, Reply } from '../../operation/operation.ts'
import { signedIn } from '../../operation/signed-in.ts'
import { withMessageAsData } from '../message-as-data.ts'
import { inMinorUnits } from '../minor-units.ts'
import { keepOrder, openCheckout } from '../new-order.ts'
import { askCreem, creemIsOff } from './creem-client.ts'

type Product = Settings['CreemProducts'][number]

/** Is enough set to sell through Creem? */
export const isCreemOn = ({ CreemApiKey, CreemProducts }: Settings): boolean =>
  CreemApiKey !== '' && CreemProducts.length > 0

/** https://docs.creem.io/api-reference/endpoint/create-checkout */
const createdCheckout = z.looseObject({
  id: z.string().min(1),
  checkout_url: z.url({ protocol: /^https?$/ }),
  product: z
    .union([
      z.string(),
      z.looseObject({ price: z.number().nullish(), currency: z.string().nullish() }),
    ])
    .nullish(),
})

/** A product that costs something else at Creem would be paid and then not credited. */
function checkPrice({ product }: z.output<typeof createdCheckout>, order: Order): void {
  if (typeof product !== 'object' || !product?.currency || typeof product.price !== 'number') return
  const { price, currency } = product
  if (price === order.expectedAmount && currency.toLowerCase() === order.currency) return
  throw new GatewayError('upstream_error', {
    message: `The product costs ${price} ${currency} at Creem (in minor units), which is not what CreemProducts says. Ask the owner to correct that.`,
    reason: { code: 'creem_other_price', price, currency },
  })
}

async function createCheckout(
  user: User,
  product: Product,
  order: Order,
  parts: GatewayParts,
): Promise<z.output<typeof createdCheckout>> {
  const answer = await askCreem(
    {
      method: 'POST',
      path: '/v1/checkouts',
      body: {
        product_id: product.productId,
        request_id: order.tradeNo,
        ...(user.email === '' ? {} : { customer: { email: user.email } }),
        metadata: {
          username: user.username,
          reference_id: order.tradeNo,
          product_name: product.name,
          quota: String(product.quota),
        },
      },
    },
    parts,
  )
  const checkout = createdCheckout.safeParse(answer)
  if (checkout.success) return checkout.data
  const message = 'Creem made a checkout without an id or a link. Check the product.'
  throw new GatewayError('upstream_invalid', {
    message,
    reason: { code: 'creem_checkout_incomplete' },
  })
}

async function makeOrder(
  productId: string,
  context: OperationContext,
): Promise<Reply<{ checkout_url: string; order_id: string }>> {
  const { parts } = context
  const user = signedIn(context)
  const settings = parts.settings.current
  if (!isCreemOn(settings)) throw creemIsOff()
  const product = settings.CreemProducts.find((one) => one.productId === productId)
  if (!product) {
    const message = `There is no product "${productId}". See creem_products of /api/user/topup/info.`
    throw new GatewayError('invalid_params', {
      message,
      field: 'product_id',
      reason: { code: 'no_product', product: productId },
    })
  }
  const { price, quota, currency } = product
  const order = keepOrder(
    user,
    {
      provider: 'creem',
      amount: quota,
      money: price,
      credit: quota,
      productId,
      currency: currency.toLowerCase(),
      expectedAmount: inMinorUnits(price, currency),
      isLive: !settings.CreemTestMode,
    },
    parts,
  )
  const url = await openCheckout(
    order,
    async () => {
      const checkout = await createCheckout(user, product, order, parts)
      checkPrice(checkout, order)
      return { checkoutId: checkout.id, checkoutUrl: checkout.checkout_url }
    },
    parts,
  )
  return new Reply({ checkout_url: url, order_id: order.tradeNo }, { message: 'success' })
}

const pay = defineOperation({
  name: 'creem.pay',
  summary: 'Makes an order of one of the CreemProducts and gives the link to its checkout.',
  access: 'user',
  http: { method: 'POST', path: '/api/user/creem/pay' },
  limit: 'critical',
  input: z.strictObject({
    product_id: z.string().min(1, fieldProblems.field_empty).max(200),
    payment_method: z.literal('creem', 'must be "creem"').optional(),
  }),
  output: z.strictObject({
    checkout_url: z.string(),
    order_id: z.string().describe('The trade number of the order.'),
  }),
  failureData: z.string().describe('The message once more.'),
  run: ({ product_id: productId }, context) =>
    withMessageAsData(() => makeOrder(productId, context)),
})

export const creemPayOperations = [pay] as const
