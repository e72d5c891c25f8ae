import { asArray, asObject, asString } from '../../convert/json/json-value.ts'
import type { UpstreamHeaders } from '../../upstream/request.ts'
import type { Refusal } from './failure.ts'

/** Seconds of a year: no vendor means a longer wait, but its sentence may quote a client that does. */
const LONGEST = 31_536_000

const seconds = (wait: number): number | null => (wait > 0 && wait <= LONGEST ? wait : null)

/** Milliseconds of each unit in which vendors write a duration. */
const UNITS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
}

/** `6m0s`, `1.5s`, `174ms`, or plain seconds, in seconds; null for anything else. */
export function durationOf(text: string): number | null {
  if (/^[\d.]+$/.test(text)) return seconds(Number(text))
  if (!/^(?:[\d.]+(?:d|h|ms|m|s))+$/.test(text)) return null
  let sum = 0
  for (const [, count, unit = ''] of text.matchAll(/([\d.]+)(d|h|ms|m|s)/g))
    sum += Number(count) * (UNITS[unit] ?? 0)
  return seconds(sum / 1000)
}

/**
 * `retry-after-ms`, and `retry-after` in seconds or as a date (RFC 9110, 10.2.3): one of the vendor's clock, which
 * `date` tells. This machine's may be hours off.
 */
function headerHint(headers: UpstreamHeaders): number | null {
  const after = String(headers['retry-after'] ?? '')
  const now = Date.parse(String(headers.date ?? '')) || Date.now()
  const date = /\d:\d/.test(after) ? Math.ceil((Date.parse(after) - now) / 1000) : 0
  return (
    seconds(Number(headers['retry-after-ms']) / 1000) ?? seconds(Number(after)) ?? seconds(date)
  )
}

/** Google's `RetryInfo` in the body, `{"retryDelay": "12s"}`: https://cloud.google.com/apis/design/errors */
function bodyHint(json: unknown): number | null {
  const body = asObject(Array.isArray(json) ? json[0] : json)
  for (const detail of asArray(asObject(body?.error)?.details)) {
    const wait = durationOf(asString(asObject(detail)?.retryDelay) ?? '')
    if (wait !== null) return wait
  }
  return null
}

/** OpenAI's sentence of a rate limit, which Azure and others have too: "Please try again in 1.5s." */
function waitHint(message: string): number | null {
  const hint = /(?:try again|retry) (?:in|after) ([\d.]+ ?[a-z]+(?:[\d.]+[a-z]+)*)/i.exec(message)
  const wait = hint?.[1]?.toLowerCase().replace(/ ?(?:milliseconds?|msecs?)$/, 'ms')
  if (wait === undefined) return null
  return durationOf(
    wait.replace(/ ?(?:seconds?|secs?)$/, 's').replace(/ ?(?:minutes?|mins?)$/, 'm'),
  )
}

const RESET_AT =
  /(?:resets? at|将在) ?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?(?: ?(Z|UTC|[+-]\d\d:?\d\d))?/i

/**
 * When a plan's limit begins anew, in seconds from now. GLM's Coding Plan: "Your limit will reset at 2026-09-09
 * 05:38:28", also in Chinese (codes 1308, 1310 and 1316 to 1321, https://docs.z.ai/api-reference/api-code). It has no
 * zone and is Beijing's, at api.z.ai too (https://github.com/can1357/oh-my-pi/issues/11014). Read so, the time of a
 * vendor further west is too early or past, which only means another try.
 */
function clockHint(message: string): number | null {
  const [, day, time, zone = '+08:00'] = RESET_AT.exec(message) ?? []
  if (day === undefined) return null
  const at = Date.parse(`${day}T${time}${/^(?:z|utc)$/i.test(zone) ? 'Z' : zone}`)
  return seconds(Math.ceil((at - Date.now()) / 1000))
}

/** Seconds to wait by a vendor's sentence; null where it says nothing of that. */
export const sentenceHint = (message: string): number | null =>
  waitHint(message) ?? clockHint(message)

/**
 * When the limit that was reached is filled up again, of those that OpenAI and others tell of:
 * https://platform.openai.com/docs/guides/rate-limits. One of which something is left was not it.
 */
function resetHint(headers: UpstreamHeaders): number | null {
  const waits: number[] = []
  for (const of of ['requests', 'tokens']) {
    const left = headers[`x-ratelimit-remaining-${of}`]
    const wait = durationOf(String(headers[`x-ratelimit-reset-${of}`] ?? ''))
    if (wait !== null && (left === undefined || Number(left) === 0)) waits.push(wait)
  }
  return waits.length === 0 ? null : Math.max(...waits)
}

/**
 * Seconds that a refusal asks to wait before the same is sent again; null where it says nothing. `json` is its body,
 * `message` the vendor's sentence in it. Headers go before the body, and the body before when a limit is full
 * again, which is later than there is room for one more call.
 */
export function hintOf(
  { status, headers }: Refusal,
  json: unknown,
  message: string,
): number | null {
  const wait = headerHint(headers)
  if (wait !== null || (status !== 429 && status < 500)) return wait
  const inBody = bodyHint(json)
  if (inBody !== null || status !== 429) return inBody
  return sentenceHint(message) ?? resetHint(headers)
}
