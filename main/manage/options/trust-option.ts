import { GatewayError } from '../../base/errors.ts'
import type { Settings } from '../../store/state/settings.ts'
import { checkNewCertificates, WrongCertificates } from '../../upstream/tls/read-certificates.ts'

/** Throws `invalid_params` for authorities that cannot be read, or could never help. */
export function checkTrustOption({ ExtraCaCertificates: typed }: Partial<Settings>): void {
  if (typed === undefined) return
  try {
    checkNewCertificates(typed)
  } catch (error) {
    if (!(error instanceof WrongCertificates)) throw error
    throw new GatewayError('invalid_params', {
      message: error.message,
      field: 'ExtraCaCertificates',
      cause: error,
    })
  }
}
