import { redeemOperations } from '../redemption/redeem.ts'
import { redemptionOperations } from '../redemption/redemption.ts'
import { redemptionListOperations } from '../redemption/redemption-list.ts'
import { creemPayOperations } from './creem/creem-pay.ts'
import { orderOperations } from './orders.ts'
import { stripePayOperations } from './stripe/stripe-pay.ts'
import { topUpInfoOperations } from './top-up-info.ts'

/** All that has to do with buying quota and being given it. */
export const paymentOperations = [
  ...redemptionListOperations,
  ...redemptionOperations,
  ...redeemOperations,
  ...topUpInfoOperations,
  ...orderOperations,
  ...stripePayOperations,
  ...creemPayOperations,
] as const
