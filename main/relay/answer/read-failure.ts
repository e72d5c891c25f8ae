import { redact } from '../../base/log/redact.ts'
import { readBeginning } from '../../upstream/body.ts'
import type { UpstreamAnswer } from '../../upstream/request.ts'
import type { Failure } from '../failure/failure.ts'
import { failureOfRefusal } from '../failure/failure-of-refusal.ts'

/**
 * Bytes. A refusal's body is a sentence or two, and some quote all of the request. To look for secrets in so much
 * takes ten milliseconds or so, in which others wait.
 */
const REFUSAL_LIMIT = 256 * 1024

export const isGood = ({ status }: UpstreamAnswer): boolean => status >= 200 && status < 300

/** The failure of a refusal, without the key that some vendors quote in it. `url` is the address that was asked. */
export async function readFailure(
  { status, headers, body }: UpstreamAnswer,
  url: string,
): Promise<Failure> {
  const bytes = await readBeginning(body, REFUSAL_LIMIT)
  const text = bytes.toString('utf8')
  const shown = redact(text)
  const safe = shown === text ? bytes : Buffer.from(shown)
  return failureOfRefusal({ status, headers, body: safe, url })
}
