import { GatewayError } from '../../base/errors.ts'
import { secretInHeader } from '../../relay/channel/channel-secrets.ts'

type Headers = Readonly<Record<string, string>>

/** A secret value as it is shown. */
const HIDDEN = '***'

/** A header override as it is shown: its secret values are hidden. */
export const shownHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretInHeader(name, value) === '' ? value : HIDDEN,
    ]),
  )

/**
 * A header override that came back as it was shown, with the values that are known. Throws
 * `invalid_params` for a hidden value that is not known under its name.
 */
export function withKnownHeaders<Override extends Headers | undefined>(
  headers: Override,
  before: Headers = {},
): Override {
  if (!headers) return headers
  const known = Object.entries(headers).map(([name, value]) => {
    if (value !== HIDDEN) return [name, value]
    const stored = Object.hasOwn(before, name) ? before[name] : undefined
    if (stored !== undefined && secretInHeader(name, stored) !== '') return [name, stored]
    throw new GatewayError('invalid_params', {
      message: `The value of the header "${name}" is hidden. Enter the whole value again.`,
      field: 'header_override',
      reason: { code: 'header_value_hidden', name },
    })
  })
  return Object.fromEntries(known)
}

/** The names of secret headers that were not entered again: they are stored, and `sent` has them hidden or not at all. */
export const keptSecrets = (before: Headers, sent: Headers | undefined): string[] =>
  Object.keys(before).filter((name) => {
    const isSecret = secretInHeader(name, before[name] ?? '') !== ''
    return isSecret && (sent === undefined || sent[name] === HIDDEN)
  })
