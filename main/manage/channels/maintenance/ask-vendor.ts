import { setMaxListeners } from 'node:events'
import { Cancellation } from '../../../base/cancellation.ts'
import { GatewayError } from '../../../base/errors.ts'
import { redact, withoutKey } from '../../../base/log/redact.ts'
import type { Sentence } from '../../../base/reason.ts'
import { readAll } from '../../../upstream/body.ts'
import { isRedirect } from '../../../upstream/redirect-target.ts'
import type { UpstreamRequest } from '../../../upstream/request.ts'
import { sendUpstream } from '../../../upstream/send-upstream.ts'

const TIME_LIMIT = 15_000
/** Bytes of what a vendor answers to one question. */
export const ANSWER_LIMIT = 5 * 1024 * 1024

/** A vendor's answer that is no success. */
export class VendorRefusal extends GatewayError {
  /** HTTP status. */
  readonly vendorStatus: number
  /** The vendor's own sentence; '' where it says nothing. */
  readonly said: string

  constructor(vendorStatus: number, said: string, { message, reason }: Sentence) {
    super('upstream_error', { message, reason })
    this.vendorStatus = vendorStatus
    this.said = said
  }
}

/** The vendor's sentence in an error body, else its first words; cut, but no secret in two. */
function sentenceIn(body: string): string {
  try {
    const { error, message, detail } = JSON.parse(body)
    const sentence = error?.message ?? error ?? message ?? detail
    if (typeof sentence === 'string' && sentence !== '') return redact(sentence).slice(0, 500)
  } catch {
    // No JSON: shown as it is.
  }
  return redact(body)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new GatewayError('upstream_error', {
      message: `The upstream did not answer with JSON: ${sentenceIn(body) || 'the answer is empty'}. Check the base URL.`,
      reason: { code: 'upstream_no_json', said: sentenceIn(body) || '…' },
    })
  }
}

async function get(
  url: string,
  headers: Record<string, string>,
  { way, signal }: Pick<Question, 'way' | 'signal'>,
): Promise<{ json: unknown; size: number }> {
  const answer = await sendUpstream({
    method: 'GET',
    url,
    headers: { accept: 'application/json', ...headers },
    cancellation: Cancellation.of(signal),
    ...way(url),
  })
  const body = await readAll(answer.body, ANSWER_LIMIT)
  const { status } = answer
  if (isRedirect(status)) {
    throw new VendorRefusal(status, '', {
      message: `The upstream answered ${status}: it redirects to ${answer.headers.location ?? 'another address'}. Enter that address as base URL; a key is never sent after a redirect.`,
      reason: {
        code: 'upstream_redirects',
        status,
        address: String(answer.headers.location ?? '…'),
      },
    })
  }
  if (status !== 200) {
    const said = sentenceIn(body.toString('utf8'))
    throw new VendorRefusal(status, said, {
      message: `The upstream answered ${status}${said ? `: "${said}"` : ' without a reason.'}`,
      reason: said ? { code: 'upstream_said', status, said } : { code: 'upstream_silent', status },
    })
  }
  return { json: parse(body.toString('utf8')), size: body.length }
}

/** With the address, which administrators may know, and without the key, which some vendors quote. */
function inFull(error: unknown, key: string): unknown {
  if (!(error instanceof GatewayError)) return error
  const { code, message, adminMessage, status } = error
  const cleaned = withoutKey(adminMessage, key)
  return cleaned === message
    ? error
    : new GatewayError(code, {
        ...{ message: cleaned, status, cause: error },
        reason: error.adminReason ?? error.reason,
      })
}

/** GETs JSON of a vendor; `size` is in bytes. */
export type Get = (
  url: string,
  headers: Record<string, string>,
) => Promise<{ json: unknown; size: number }>

/** A request to a vendor. */
export interface Question {
  key: string
  /** Names it in messages. */
  wanted: string
  /** The proxy to ask a URL through, and the check of the addresses that names lead to. */
  way(url: string): Pick<UpstreamRequest, 'proxy' | 'checkAddress' | 'checkThrough'>
  signal: AbortSignal
  /** Milliseconds in all; absent = 15 seconds. */
  timeLimit?: number
}

/**
 * Asks a channel's vendor for something besides a model call, within a time limit. Throws `upstream_error` and its kin with the vendor's own sentence; no message ever holds the key.
 */
export async function askVendor<Answer>(
  { key, wanted, way, signal, timeLimit = TIME_LIMIT }: Question,
  ask: (get: Get) => Promise<Answer>,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeLimit)
  const either = AbortSignal.any([signal, timeout])
  // One for each page, which is no leak: the signal goes with the question.
  setMaxListeners(0, either)
  try {
    return await ask((url, headers) => get(url, headers, { way, signal: either }))
  } catch (error) {
    if (timeout.aborted && !signal.aborted) {
      throw new GatewayError('upstream_timeout', {
        message: `The upstream did not send ${wanted} within ${timeLimit / 1000} seconds. Check the base URL, then try again.`,
        reason: { code: 'upstream_late', wanted, seconds: timeLimit / 1000 },
        cause: error,
      })
    }
    throw inFull(error, key)
  }
}
