import type { Sentence } from '../../base/reason.ts'

/** A payment that doesn’t fit its order. */
export const otherCheckout: Sentence = {
  message:
    'It was paid by another checkout than the one that was made for it. It was not credited.',
  reason: { code: 'payment_other_checkout' },
}

/** `paid` in minor units, like `expected`, which has its currency beside it. */
export function otherAmount(
  paid: number | null | undefined,
  currency: string | undefined,
  expected: string,
): Sentence {
  const rest = `was paid in place of ${expected} (in minor units). It was not credited.`
  const known = `${paid} ${currency}`
  return typeof paid === 'number'
    ? {
        message: `${known} ${rest}`,
        reason: { code: 'payment_other_amount', paid: known, expected },
      }
    : {
        message: `An unknown amount of ${currency} ${rest}`,
        reason: { code: 'payment_amount_unknown', currency: String(currency), expected },
      }
}
