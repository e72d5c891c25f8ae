import { z } from 'zod'
import { Cancellation } from '../../../base/cancellation.ts'
import { GatewayError } from '../../../base/errors.ts'
import { redact } from '../../../base/log/redact.ts'
import { readAll } from '../../../upstream/body.ts'
import type { UpstreamAnswer, UpstreamRequest } from '../../../upstream/request.ts'
import { sendUpstream } from '../../../upstream/send-upstream.ts'
import type { GatewayParts } from '../../gateway-parts.ts'

const TIME_LIMIT = 20_000
const SIZE_LIMIT = 1024 * 1024

/** https://docs.creem.io/getting-started/test-mode */
const LIVE_URL = 'https://api.creem.io'
const TEST_URL = 'https://test-api.creem.io'

export const creemIsOff = (): GatewayError =>
  new GatewayError('forbidden', {
    message:
      'Payments with Creem are not set up. The owner sets CreemApiKey and CreemProducts in Settings.',
    reason: { code: 'creem_off' },
  })

const spoken = z.looseObject({
  message: z.union([z.string(), z.array(z.string()).transform((list) => list.join('; '))]),
})

/** Creem's own sentence in an error body; '' where there is none. */
function saidIn(body: string): string {
  try {
    return redact(spoken.parse(JSON.parse(body)).message).slice(0, 500)
  } catch {
    return ''
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new GatewayError('upstream_invalid', {
      message: "Creem's answer is not JSON. Try again in a moment.",
      cause,
      reason: { code: 'creem_no_json' },
    })
  }
}

/** As `sendUpstream`; buyers cannot check an address, so they are only told that Creem is out of reach. */
async function reached(request: UpstreamRequest): Promise<UpstreamAnswer> {
  try {
    return await sendUpstream(request)
  } catch (cause) {
    if (request.cancellation?.reason) throw cause
    throw new GatewayError('upstream_unreachable', {
      message: 'Creem cannot be reached. Try again in a moment.',
      cause,
      reason: { code: 'payment_unreachable', provider: 'Creem' },
    })
  }
}

/**
 * Asks Creem something with the configured key, at its test address in test mode; gives its JSON. Throws
 * `upstream_error` and its kin with Creem's own sentence; no message ever holds the key.
 */
export async function askCreem(
  request: { method: 'GET' | 'POST'; path: string; body?: unknown },
  { settings, payments }: GatewayParts,
): Promise<unknown> {
  const { CreemApiKey: key, CreemTestMode: isTest } = settings.current
  if (key === '') throw creemIsOff()
  const base = payments.creemUrl ?? (isTest ? TEST_URL : LIVE_URL)
  const timeout = AbortSignal.timeout(TIME_LIMIT)
  const hasBody = request.body !== undefined
  try {
    const answer = await reached({
      method: request.method,
      url: base + request.path,
      headers: {
        accept: 'application/json',
        'x-api-key': key,
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
      },
      ...(hasBody ? { body: Buffer.from(JSON.stringify(request.body)) } : {}),
      cancellation: Cancellation.of(timeout),
    })
    const body = (await readAll(answer.body, SIZE_LIMIT)).toString('utf8')
    if (answer.status === 200 || answer.status === 201) return parse(body)
    const said = saidIn(body).replaceAll(key, '***')
    const quote = said ? `: "${said}"` : ' and gave no reason'
    throw new GatewayError('upstream_error', {
      message: `Creem refused the request (status ${answer.status})${quote}.`,
      reason: {
        code: 'payment_refused',
        provider: 'Creem',
        said: said || `status ${answer.status}`,
      },
    })
  } catch (error) {
    if (!timeout.aborted) throw error
    throw new GatewayError('upstream_timeout', {
      message: 'Creem did not answer within 20 seconds. Try again in a moment.',
      cause: error,
      reason: { code: 'payment_silent', provider: 'Creem', seconds: 20 },
    })
  }
}
