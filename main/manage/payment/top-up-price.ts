import { ownValue } from '../../base/own-value.ts'
import { UNITS_PER_USD } from '../../base/quota.ts'
import type { Settings } from '../../store/state/settings.ts'

/** The buyer's group's factor; none and 0 count as 1, so that nobody pays for nothing. */
const groupFactor = ({ TopupGroupRatio }: Settings, group: string): number =>
  ownValue(TopupGroupRatio, group) || 1

/** Cost of an amount of dollars in the currency of Stripe's price: `16.00`. */
export function shownPrice(amount: number, group: string, settings: Settings): string {
  const discount = ownValue(settings['payment_setting.amount_discount'], String(amount)) ?? 1
  const price = amount * settings.StripeUnitPrice * groupFactor(settings, group) * discount
  return price.toFixed(2)
}

/** Credit for a payment in dollars: dollars after the group's factor, and as units. */
export function creditOf(
  amount: number,
  group: string,
  settings: Settings,
): { money: number; credit: number } {
  const money = amount * groupFactor(settings, group)
  return { money, credit: Math.round(money * UNITS_PER_USD) }
}
