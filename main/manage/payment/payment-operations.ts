import { creemPayOperations } from './creem-pay.ts'
import { orderOperations } from './orders.ts'
import { redeemOperations } from './redeem.ts'
import { redemptionOperations } from './redemption.ts'
import { redemptionListOperations } from './redemption-list.ts'
import { stripePayOperations } from './stripe-pay.ts'
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
