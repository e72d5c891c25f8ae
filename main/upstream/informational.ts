import { GatewayError } from '../base/errors.ts'

/** A 102 every ten seconds makes as many in 40 minutes. */
const MOST = 256

/** Counts the informational answers (1xx, RFC 9110 §15.2) before an answer, each of which takes time to read. */
export class InformationalCount {
  #count = 0

  /** One more has come; what is wrong once they are too many, else null. */
  add(): GatewayError | null {
    if (++this.#count <= MOST) return null
    return new GatewayError('upstream_invalid', {
      message: `The upstream sent more than ${MOST} informational answers (status 1xx) and no answer.`,
      reason: { code: 'upstream_informational', most: MOST },
    })
  }
}
