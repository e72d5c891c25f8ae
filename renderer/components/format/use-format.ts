import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { dollarsOf } from './quota-units.ts'
import { onNewDay, today } from './today.ts'

const unknown = '–'

const HALF_A_YEAR = 182 * 86_400_000

export interface Format {
  /** A whole number with thousands separators; unknown is a dash, never 0. */
  count(value: number | null | undefined): string
  /** At most one decimal. */
  amount(value: number): string
  /** A factor of prices. */
  factor(value: number): string
  /** A share from 0 to 1 as a percentage with at most one decimal; unknown is a dash. */
  percent(share: number | null | undefined): string
  /** Quota units as US dollars; small amounts get more decimals. */
  money(units: number | null | undefined): string
  /** The same where room is short: "$12K" from $1,000 on. */
  shortMoney(units: number): string
  /** Major units of an ISO 4217 currency; a plain number without one. */
  charge(amount: number, currency: string): string
  /** Milliseconds as "85 ms", "1.24 s" or "2 min 5 s". */
  duration(milliseconds: number | null | undefined): string
  /** Bytes as "812 B", "46 KiB", "3.2 MiB" or "1.8 GiB". */
  size(bytes: number): string
  /** Items of a list, as the language separates them. */
  list(items: readonly string[]): string
  /** Unix seconds as a short date and time, without the date if it is today; half a year away with the year. */
  time(seconds: number | null | undefined): string
  /** Unix seconds as a full date and time. */
  fullTime(seconds: number | null | undefined): string
}

/** By language: the formatters of `Intl` take long to make, and a list has hundreds of figures. */
const formats = new Map<string, Format>()

export function useFormat(): Format {
  const { language } = useTranslation().i18n
  // A new day adds the date to yesterday's times, also in rows that are drawn only when their record changes.
  useSyncExternalStore(onNewDay, today)
  const known = formats.get(language) ?? createFormat(language)
  formats.set(language, known)
  return known
}

export function createFormat(language: string): Format {
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
  const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const factors = new Intl.NumberFormat(language, { maximumFractionDigits: 4 })
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const clock = new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  })
  const day = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' })
  const dated = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
  const dollars = new Intl.NumberFormat(language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  // From ten cents on, two decimals: $0.50, not $0.5.
  const [fractions, cents] = [2, 1].map(
    (fewest) =>
      new Intl.NumberFormat(language, {
        minimumSignificantDigits: fewest,
        maximumSignificantDigits: 3,
      }),
  ) as [Intl.NumberFormat, Intl.NumberFormat]
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })

  const compact = new Intl.NumberFormat(language, { notation: 'compact' })

  const money: Format['money'] = (units) => {
    if (units == null) return unknown
    const value = dollarsOf(units)
    const size = Math.abs(value)
    // Three digits of $0.9999 would be $1.0.
    const isSmall = value !== 0 && size < 0.9995
    const format = isSmall ? (size >= 0.1 ? fractions : cents) : dollars
    return `${value < 0 ? '−' : ''}$${format.format(size)}`
  }

  return {
    count: (value) => (value == null ? unknown : whole.format(value)),
    amount: (value) => tenths.format(value),
    list: (items) => items.join(language.startsWith('zh') ? '、' : ', '),
    factor: (value) => factors.format(value),
    percent: (share) => (share == null ? unknown : percent.format(share)),
    money,
    shortMoney(units) {
      const value = dollarsOf(units)
      return Math.abs(value) < 1000
        ? money(units)
        : `${value < 0 ? '−' : ''}$${compact.format(Math.abs(value))}`
    },
    charge(amount, currency) {
      const isCurrency = /^[A-Za-z]{3}$/.test(currency)
      const style = isCurrency
        ? { style: 'currency' as const, currency: currency.toUpperCase() }
        : { minimumFractionDigits: 2, maximumFractionDigits: 2 }
      return new Intl.NumberFormat(language, style).format(amount)
    },
    duration(milliseconds) {
      if (milliseconds == null) return unknown
      // Not "1000 ms" or "60.00 s", which rounding up would give.
      if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`
      if (milliseconds < 59_995) return `${(milliseconds / 1000).toFixed(2)} s`
      const seconds = Math.round(milliseconds / 1000)
      return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    },
    size(bytes) {
      if (bytes < 1024) return `${whole.format(bytes)} B`
      if (bytes < 1024 * 1024) return `${whole.format(bytes / 1024)} KiB`
      const mebibytes = bytes / 1024 / 1024
      if (mebibytes < 1024) return `${tenths.format(mebibytes)} MiB`
      return `${tenths.format(mebibytes / 1024)} GiB`
    },
    time(seconds) {
      if (!seconds) return unknown
      const date = new Date(seconds * 1000)
      if (date.toDateString() === today()) return clock.format(date)
      // Its year is in doubt, unlike that of last December in January.
      const isFar = Math.abs(date.getTime() - Date.now()) > HALF_A_YEAR
      // Where it is narrow, the only break is between the two.
      return `${(isFar ? dated : day).format(date).replaceAll(' ', '\u00a0')} ${clock.format(date)}`
    },
    fullTime: (seconds) => (seconds ? full.format(new Date(seconds * 1000)) : unknown),
  }
}
