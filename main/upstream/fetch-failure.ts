import { GatewayError } from '../base/errors.ts'

/** Why a fetch failed, as the end of a sentence (`example.org answered 404`); never what was answered. */
export class FetchFailure extends Error {
  /** The same may go well at another time. */
  readonly isPassing: boolean

  constructor(
    reason: string,
    { isPassing = false, cause }: { isPassing?: boolean; cause?: unknown } = {},
  ) {
    super(reason, cause === undefined ? undefined : { cause })
    this.isPassing = isPassing
  }
}

/**
 * Said of names that are not known as well: who asks must not learn which names there are in a private
 * network.
 */
export const notPublic = (host: string): FetchFailure =>
  new FetchFailure(`${host} does not lead to a public address`)

/** The failure that a connection's error was made of; else one that names what went wrong by its code only. */
export function failureOf(error: unknown, host: string, what = 'cannot be reached'): FetchFailure {
  let code = ''
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof FetchFailure) return one
    if (code === '' && 'code' in one && !(one instanceof GatewayError)) code = String(one.code)
  }
  if (code === 'ENOTFOUND') return notPublic(host)
  const why = code === '' ? '' : ` (${code})`
  return new FetchFailure(`${host} ${what}${why}`, { isPassing: true, cause: error })
}
