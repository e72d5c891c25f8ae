import { UNITS_PER_USD } from './quota.ts'

/** As Intl.NumberFormat writes it, which reads 7 MB of locales. Three digits at most, where cents are too coarse. */
function englishText(units: number, isSmall: boolean, fewest: number): string {
  const places = isSmall ? 2 - Math.floor(Math.log10(units / UNITS_PER_USD)) : 2
  const rounded = Math.round((units * 10 ** places) / UNITS_PER_USD) / 10 ** places
  const text = rounded.toFixed(places)
  return isSmall
    ? text.replace(fewest === 2 ? /(?<=\.\d\d)0+$/ : /0+$/, '')
    : text.replace(/\B(?=(\d{3})+\.)/g, ',')
}

/** Quota units as US dollars, as the console writes them: small amounts with the digits they need; unknown is a dash. */
export function quotaText(units: number | null, locale = 'en'): string {
  if (units === null) return '–'
  const dollars = units / UNITS_PER_USD
  // Three digits of $0.9999 would be $1.0.
  const isSmall = dollars !== 0 && Math.abs(dollars) < 0.9995
  // From ten cents on cents are whole: $0.50, not $0.5.
  const fewest = Math.abs(dollars) >= 0.1 ? 2 : 1
  const digits = isSmall
    ? { minimumSignificantDigits: fewest, maximumSignificantDigits: 3 }
    : { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  const text =
    locale === 'en'
      ? englishText(Math.abs(units), isSmall, fewest)
      : new Intl.NumberFormat(locale, digits).format(Math.abs(dollars))
  return `${dollars < 0 ? '−' : ''}$${text}`
}
