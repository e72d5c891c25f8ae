import { GatewayError } from '../base/errors.ts'
import type { Reason, Sentence } from '../base/reason.ts'

/** Why a fetch failed, as the end of a sentence (`example.org answered 404`); never what was answered. */
export class FetchFailure extends Error {
  /** The same may go well at another time. */
  readonly isPassing: boolean
  readonly reason: Reason

  constructor(
    { message, reason }: Sentence,
    { isPassing = false, cause }: { isPassing?: boolean; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.isPassing = isPassing
    this.reason = reason
  }
}

/**
 * Said of names that are not known as well: who asks must not learn which names there are in a private
 * network.
 */
export const notPublic = (host: string): FetchFailure =>
  new FetchFailure({
    message: `${host} does not lead to a public address`,
    reason: { code: 'fetch_not_public', host },
  })

const failed = {
  fetch_unreachable: 'cannot be reached',
  fetch_cut: 'did not send all of its answer',
} as const

/** The failure that a connection's error was made of; else one that names what went wrong by its code only. */
export function failureOf(
  error: unknown,
  host: string,
  code: keyof typeof failed = 'fetch_unreachable',
): FetchFailure {
  let system = ''
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof FetchFailure) return one
    if (system === '' && 'code' in one && !(one instanceof GatewayError)) system = String(one.code)
  }
  if (system === 'ENOTFOUND') return notPublic(host)
  const why = system === '' ? '' : ` (${system})`
  return new FetchFailure(
    { message: `${host} ${failed[code]}${why}`, reason: { code, host, system } },
    { isPassing: true, cause: error },
  )
}
