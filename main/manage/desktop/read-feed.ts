import { z } from 'zod'
import { Cancellation } from '../../base/cancellation.ts'
import { GatewayError } from '../../base/errors.ts'
import { isFeedAddress } from '../../base/net/feed-address.ts'
import type { Reason } from '../../base/reason.ts'
import { type ConnectionServices, proxyFor } from '../../relay/channel/channel-connection.ts'
import { gather, type UpstreamBody } from '../../upstream/body.ts'
import { isRedirect } from '../../upstream/redirect-target.ts'
import type { UpstreamAnswer } from '../../upstream/request.ts'
import { sendUpstream } from '../../upstream/send-upstream.ts'
import { readVersion } from './semantic-version.ts'

const TIME_LIMIT = 10_000
const SIZE_LIMIT = 64 * 1024
const MOST_REDIRECTS = 3
/** Characters of notes that are shown. */
const LONGEST_NOTES = 4000

/** A version that a feed names. */
export interface OfferedVersion {
  version: string
  /** Where a person reads of it and downloads it. */
  url: string
  notes: string
}

/** A link leads to https only, and no user name in it hides its host. */
function isDownloadPage(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocol === 'https:' && username === '' && password === ''
}

const feed = z.object({
  version: z
    .string()
    .max(256)
    // As tags are often written.
    .transform((text) => text.replace(/^v/, ''))
    .refine((text) => readVersion(text) !== null, 'must be a version such as 1.2.3'),
  url: z.string().max(2000).refine(isDownloadPage, 'must be an https:// address'),
  notes: z
    .string()
    .transform((text) => text.slice(0, LONGEST_NOTES))
    .default(''),
})

/** The feed's answer does not have the form of an update feed. */
class FeedFailure extends GatewayError {}

const refuse = (message: string, reason: Reason, cause?: unknown): FeedFailure =>
  new FeedFailure('upstream_error', { message, reason, cause })

function parse(bytes: Buffer): OfferedVersion {
  let json: unknown
  try {
    json = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw refuse(
      'The update feed did not answer with JSON. Check its address.',
      { code: 'feed_no_json' },
      cause,
    )
  }
  const read = feed.safeParse(json)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const field = issue?.path.join('.')
  throw refuse(
    `The update feed is not as expected: ${field ? `"${field}" ` : ''}${issue?.message ?? 'it is wrong'}. It should look like {"version": "1.2.3", "url": "https://…", "notes": "…"}.`,
    { code: 'feed_unexpected', field: field || '{}' },
  )
}

function nextAddress({ headers }: UpstreamAnswer, url: string): string {
  const location = Array.isArray(headers.location) ? headers.location[0] : headers.location
  const next = URL.parse(location ?? '', url)
  if (!next)
    throw refuse(
      'The update feed redirects without naming an address. Enter another feed address.',
      { code: 'feed_redirects_nowhere' },
    )
  const isWeaker = url.startsWith('https:') && next.protocol !== 'https:'
  if (isWeaker || !isFeedAddress(next.href)) {
    throw refuse(
      `The update feed redirects to ${next.origin}, which is not https. Enter an address that stays on https.`,
      { code: 'feed_redirects_plain', address: next.origin },
    )
  }
  return next.href
}

async function get(
  address: string,
  parts: ConnectionServices,
  cancellation: Cancellation,
): Promise<OfferedVersion> {
  let url = new URL(address).href
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    // The fragment is for the reader alone.
    url = url.replace(/#.*$/s, '')
    const answer = await sendUpstream({
      method: 'GET',
      url,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'Switchyard',
      },
      cancellation,
      ...proxyFor({ setting: {}, publicOnly: false }, url, parts),
    })
    if (isRedirect(answer.status)) {
      answer.body.abort()
      url = nextAddress(answer, url)
      continue
    }
    if (answer.status !== 200) {
      answer.body.abort()
      throw refuse(`The update feed answered with status ${answer.status}. Check its address.`, {
        code: 'feed_status',
        status: answer.status,
      })
    }
    if (Number(answer.headers['content-length']) > SIZE_LIMIT) {
      answer.body.abort()
      throw tooLarge()
    }
    return parse(await read(answer.body))
  }
  throw refuse(
    `The update feed redirects more than ${MOST_REDIRECTS} times. Enter its final address.`,
    { code: 'feed_many_redirects', most: MOST_REDIRECTS },
  )
}

const tooLarge = (): FeedFailure =>
  refuse(
    `The update feed is larger than ${SIZE_LIMIT / 1024} KiB. It should hold one version only.`,
    { code: 'feed_large', kibibytes: SIZE_LIMIT / 1024 },
  )

function read(body: UpstreamBody): Promise<Buffer> {
  let size = 0
  return gather(body, ({ length }) => {
    size += length
    return size > SIZE_LIMIT ? tooLarge() : null
  })
}

/**
 * Reads what a feed offers, within 10 seconds, through the proxy that holds for upstreams. Throws `upstream_error`
 * and its kin with a sentence for the owner, or the signal's reason.
 */
export async function readFeed(
  address: string,
  parts: ConnectionServices,
  signal: AbortSignal,
): Promise<OfferedVersion> {
  const timeout = AbortSignal.timeout(TIME_LIMIT)
  try {
    return await get(address, parts, Cancellation.of(AbortSignal.any([signal, timeout])))
  } catch (error) {
    if (timeout.aborted && !signal.aborted) {
      throw new GatewayError('upstream_timeout', {
        message: `The update feed did not answer within ${TIME_LIMIT / 1000} seconds. Check its address in Settings › Desktop.`,
        cause: error,
        reason: { code: 'feed_silent', seconds: TIME_LIMIT / 1000 },
      })
    }
    if (!(error instanceof GatewayError) || error instanceof FeedFailure) throw error
    const { code, adminMessage } = error
    throw new GatewayError(code, {
      message: `The update feed cannot be read. ${adminMessage} Check its address in Settings › Desktop.`,
      cause: error,
      reason: { code: 'feed_unreadable', why: error.reason ?? adminMessage },
    })
  }
}
