/** Where Stripe's smallest unit isn't that of ISO 4217: https://docs.stripe.com/currencies#special-cases */
const stripeDigits: Readonly<Record<string, number>> = { isk: 2, mga: 0, ugx: 2 }

/** A word that is no code, which the provider may have sent, has hundredths as most currencies do. */
function digitsOf(currency: string): number {
  if (!/^[a-z]{3}$/i.test(currency)) return 2
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

/** An amount in the smallest unit of its currency, which not all have at a hundredth. */
export const inMinorUnits = (amount: number, currency: string): number =>
  Math.round(amount * 10 ** digitsOf(currency))

/** An amount that a provider gives in minor units; the currency in lower case. */
export const fromMinorUnits = (
  amount: number,
  currency: string,
  provider: 'stripe' | 'creem',
): number =>
  amount /
  10 ** ((provider === 'stripe' ? stripeDigits[currency] : undefined) ?? digitsOf(currency))
