import { UNITS_PER_USD } from '../../../base/quota.ts'

const NUMBER = /^\d{1,12}(?:\.\d{1,9})?$/

const number = (text: string): number | null => (NUMBER.test(text) ? Number(text) : null)

function withUnit(text: string, units: Readonly<Record<string, number>>): number | null {
  const [, amount = '', unit = ''] = /^([\d.]+)\s*(\D*)$/.exec(text) ?? []
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined
  const value = number(amount)
  return factor === undefined || value === null ? null : value * factor
}

/** `300ms`, `5s`, `2m`, `1h`; a bare number is seconds. In milliseconds. */
export const readDuration = (text: string): number | null =>
  withUnit(text, { '': 1000, ms: 1, s: 1000, m: 60_000, h: 3_600_000 })

/** `0.1`, `$0.1` or `0.1$`, in units. */
export function readCost(text: string): number | null {
  const dollars = number(text.replace(/^\$|\$$/, ''))
  return dollars === null ? null : dollars * UNITS_PER_USD
}

/** `50%` or `50`. */
export const readPercent = (text: string): number | null => number(text.replace(/%$/, ''))

/** `1000`, `10k` or `1M`. */
export const readCount = (text: string): number | null =>
  withUnit(text, { '': 1, k: 1000, K: 1000, M: 1_000_000 })

/** An HTTP status. */
export const readStatus = (text: string): number | null =>
  /^[1-5]\d\d$|^0$/.test(text) ? Number(text) : null

/** `yes` or `no`. */
export function readFlag(text: string): boolean | null {
  const word = text.toLowerCase()
  if (word === 'yes' || word === 'true') return true
  return word === 'no' || word === 'false' ? false : null
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(Z|[+-]\d\d:\d\d)?)?$/
const AGO = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/**
 * A day or a time by the gateway’s calendar (`2026-11-01`, `2026-11-01T10:30`), one with its zone, how long ago
 * (`2h`, `7d`), or unix seconds. In unix seconds.
 */
export function readTime(text: string, now: number): number | null {
  if (/^\d{9,11}$/.test(text)) return Number(text)
  const ago = withUnit(text, AGO)
  if (ago !== null && /\D$/.test(text)) return Math.floor(now - ago)
  const [, ...parts] = DATE.exec(text) ?? []
  if (parts.length === 0) return null
  const zone = parts.pop()
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) =>
    Number(part ?? 0),
  )
  if (hour > 23 || minute > 59 || second > 59) return null
  // A day that its month doesn't have would become one of the next.
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day || month > 12) return null
  const time =
    zone === undefined
      ? new Date(year, month - 1, day, hour, minute, second).getTime()
      : Date.parse(text.replace(' ', 'T'))
  return Number.isNaN(time) ? null : Math.floor(time / 1000)
}
