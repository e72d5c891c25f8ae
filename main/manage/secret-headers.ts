import { GatewayError } from '../base/errors.ts'

/** A field, header or query parameter whose name says that its value is nobody else's business. */
export const SECRET_NAME = /auth|key|token|secret|cookie|password/i

/** How a value begins that is one, whatever its header is called. */
const SCHEME = /^(?:basic|bearer|token|apikey)\s+/i

/** What is filled in with each call, so that it is no secret of the override's. */
const PLACEHOLDER = /\{(?:api_key|client_header:[^}]+)\}/g

type Headers = Readonly<Record<string, string>>

/** The secret in a header override's value, without its scheme; '' where it has none. */
export function secretInHeader(name: string, value: string): string {
  if (name === '*' || name.startsWith('re:')) return ''
  if (!SECRET_NAME.test(name) && !SCHEME.test(value)) return ''
  const own = value.replace(SCHEME, '')
  return own.replaceAll(PLACEHOLDER, '').trim() === '' ? '' : own
}

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
